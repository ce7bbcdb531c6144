import { emptyField, type Field } from '../field';
import { grooveDirection } from './groove-direction';

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Three soft lines at an angle, clockwise from upright. */
function lines(angleDeg: number): Field {
  const field = emptyField(200, 160);
  const [cos, sin] = [Math.cos(radians(angleDeg)), Math.sin(radians(angleDeg))];
  for (let y = 0; y < field.height; y++) {
    for (let x = 0; x < field.width; x++) {
      const across = (x - 100) * cos + (y - 80) * sin;
      const nearest = Math.min(...[-40, 0, 40].map((middle) => Math.abs(across - middle)));
      field.data[y * field.width + x] = Math.min(1, Math.max(0, 6 - nearest));
    }
  }
  return field;
}

it.each([-80, -33, -4, 0, 7, 45, 88])('finds lines at %d degrees, whatever the fallback', (angleDeg) => {
  expect(Math.abs(grooveDirection(lines(angleDeg), radians(20)) - radians(angleDeg))).toBeLessThan(radians(0.5));
});

it('takes the fallback where there are no lines', () => {
  expect(grooveDirection(emptyField(50, 40), 0.3)).toBe(0.3);
});

it('takes the fallback where lines run in all directions', () => {
  const blocks = emptyField(120, 120);
  blocks.data.forEach((_, i) => (blocks.data[i] = (i % 120) % 20 < 6 || Math.floor(i / 120) % 20 < 6 ? 1 : 0));
  expect(grooveDirection(blocks, 0.3)).toBe(0.3);
});

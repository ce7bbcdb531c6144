import { emptyField, type Field } from '../field';
import { resized } from './enhance';
import { edgeWidthPx, imageFaults } from './image-faults';

/** Black discs with sharp borders on a light ground. */
function scene(black: number, light: number, side = 400): Field {
  const field = emptyField(side, side);
  for (let i = 0; i < field.data.length; i++) {
    const [x, y] = [i % side, Math.floor(i / side)];
    const isBlack = Math.hypot((x % 200) - 100, (y % 200) - 100) < 80 && Math.hypot((x % 200) - 100, (y % 200) - 100) > 40;
    field.data[i] = isBlack ? black : light;
  }
  return field;
}

/** Two box filters. */
function blurred(field: Field, radius: number): Field {
  const once = (from: Field): Field => {
    const to = emptyField(from.width, from.height);
    for (let y = 0; y < from.height; y++)
      for (let x = 0; x < from.width; x++) {
        let [sum, count] = [0, 0];
        for (let i = -radius; i <= radius; i++) {
          if (x + i >= 0 && x + i < from.width) [sum, count] = [sum + from.data[y * from.width + x + i]!, count + 1];
          if (y + i >= 0 && y + i < from.height) [sum, count] = [sum + from.data[(y + i) * from.width + x]!, count + 1];
        }
        to.data[y * from.width + x] = sum / count;
      }
    return to;
  };
  return once(once(field));
}

it.each<[string, Field, string[]]>([
  ['a good one', scene(35, 150), []],
  ['one at dusk', scene(6, 30), ['too_dark']],
  ['nothing but black', emptyField(300, 200), ['too_dark']],
  ['one into the sun', scene(190, 250), ['too_bright']],
  ['a wheel on white paper', scene(40, 255), []],
  ['one out of focus', blurred(scene(35, 150), 12), ['blurred']],
  ['one out of focus at dusk', blurred(scene(6, 30), 12), ['too_dark']],
  ['a grey wall', { ...emptyField(300, 200), data: new Float32Array(60_000).fill(120) }, []],
])('%s', (_, field, faults) => {
  expect(imageFaults(field)).toEqual(faults);
});

it('is the number of pixels from dark to light', () => {
  expect(edgeWidthPx(scene(35, 150))).toBeLessThan(2.5);
  const small = scene(35, 150, 200);
  expect(edgeWidthPx(resized(small, 1600, 1600))).toBeGreaterThan(5);
});

it('is that of the direction in which the camera moved', () => {
  const field = emptyField(400, 400);
  const ramp = (x: number) => Math.min(1, Math.max(0, ((x % 100) - 40) / 20));
  for (let i = 0; i < field.data.length; i++) field.data[i] = Math.floor(i / 400) % 100 < 50 ? 60 + 80 * ramp(i % 400) : 20;
  expect(edgeWidthPx(field)).toBeGreaterThan(12);
});

import { emptyField } from '../../field';
import { showsWholeWheel } from './whole-wheel';

/** A dark ring of rubber around a bright rim, or stripes. */
function drawn(brightness: (x: number, y: number) => number) {
  const field = emptyField(400, 320);
  field.data.forEach((_, i) => (field.data[i] = brightness(i % 400, Math.floor(i / 400))));
  return field;
}
const wheel = (squeezed: number) =>
  drawn((x, y) => {
    const radius = Math.hypot((x - 200) / squeezed, y - 160);
    return radius < 90 ? 190 : radius < 140 ? 30 : 130;
  });

it.each([
  ['a wheel', wheel(1), true],
  ['a wheel seen at an angle', wheel(0.85), true],
  ['grooves', drawn((x) => (x % 80 < 12 ? 20 : 90)), false],
  ['a wall', drawn(() => 120), false],
])('%s: %s', (_, field, is) => {
  expect(showsWholeWheel(field)).toBe(is);
});

import { hashDistance, NEAR_COPY_BITS, pointAsShown } from '@tire/kernel';
import type { RgbImage } from './decode';
import { imageHash } from './image-hash';

/** A scene that is defined everywhere in the unit square, so that it can be drawn at any scale. */
const scene = (x: number, y: number) => 128 + 60 * Math.sin(9 * x + 4 * y) + 60 * Math.cos(7 * y - 5 * x * x);
const other = (x: number, y: number) => 128 + 60 * Math.cos(3 * x - 11 * y) + 60 * Math.sin(13 * x * y);

function drawn(width: number, height: number, brightness: (x: number, y: number, i: number) => number): RgbImage {
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const value = brightness(((i % width) + 0.5) / width, (Math.floor(i / width) + 0.5) / height, i);
    rgb.fill(Math.min(255, Math.max(0, Math.round(value))), 3 * i, 3 * i + 3);
  }
  return { width, height, rgb };
}

const hash = imageHash(drawn(640, 480, scene));

it('is 64 bits as 16 hex digits', () => {
  expect(hash).toBe('861c1c3c3c3971e1');
});

it.each([
  [30, 20],
  [1_000, 751],
])('has no bit where neighbours are equal (%i x %i)', (width, height) => {
  expect(imageHash(drawn(width, height, () => 7))).toBe('0000000000000000');
  expect(imageHash(drawn(width, height, (x) => (x < 0.5 ? 50 : 150)))).toBe('1818181818181818');
});

it.each<[string, RgbImage]>([
  ['a smaller copy', drawn(97, 73, scene)],
  ['a darker copy', drawn(640, 480, (x, y) => 0.7 * scene(x, y))],
  ['a noisy copy', drawn(640, 480, (x, y, i) => scene(x, y) + ((i * 7919) % 31) - 15)],
  ['a copy without a hundredth of its edges', drawn(640, 480, (x, y) => scene(0.01 + 0.98 * x, 0.01 + 0.98 * y))],
])('of %s is near', (_, image) => {
  expect(hashDistance(imageHash(image), hash)).toBeLessThanOrEqual(NEAR_COPY_BITS);
});

it.each([
  ['another image', drawn(640, 480, other)],
  ['the mirror image', drawn(640, 480, (x, y) => scene(1 - x, y))],
  ['the negative', drawn(640, 480, (x, y) => 255 - scene(x, y))],
])('of %s is far', (_, image) => {
  expect(hashDistance(imageHash(image), hash)).toBeGreaterThan(2 * NEAR_COPY_BITS);
});

it.each([2, 3, 4, 5, 6, 7, 8])('is that of the image as it is shown: EXIF orientation %i', (orientation) => {
  const [width, height] = orientation > 4 ? [480, 640] : [640, 480];
  const stored = drawn(width, height, (x, y) => scene(...pointAsShown(orientation, [x, y])));
  expect(hashDistance(imageHash({ ...stored, orientation }), hash)).toBeLessThanOrEqual(1);
});

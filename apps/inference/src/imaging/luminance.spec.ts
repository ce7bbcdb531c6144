import { greyscaleImage, levelsOf } from './luminance';

const field = { width: 3, height: 2, data: Float32Array.from([-7, 0.49, 0.5, 254.4, 254.6, 300]) };

it('rounds grey levels and keeps them within 0 and 255', () => {
  expect([...levelsOf(field)]).toEqual([0, 0, 1, 254, 255, 255]);
});

it('gives a grey image the same level in all channels', () => {
  const { width, height, rgb } = greyscaleImage(field);
  expect([width, height]).toEqual([3, 2]);
  expect([...rgb]).toEqual([0, 0, 1, 254, 255, 255].flatMap((level) => [level, level, level]));
});

import { filled } from './filled';

const rows = (image: Uint8Array, width: number) =>
  Array.from({ length: image.length / width }, (_, y) => [...image.subarray(y * width, (y + 1) * width)].join(''));
const at = (...corners: [number, number][]) => corners.map(([x, y]) => ({ x, y }));

describe('filled polygons', () => {
  it('cover the pixels whose centre lies inside, later ones over earlier ones', () => {
    const square = at([0.25, 0.25], [0.75, 0.25], [0.75, 0.75], [0.25, 0.75]);
    const right = at([0.5, 0], [1, 0], [1, 0.5], [0.5, 0.5]);
    expect(rows(filled([square, right], 4, 4), 4)).toEqual(['0022', '0122', '0110', '0000']);
  });

  it('may be concave', () => {
    const corner = at([0, 0], [1, 0], [1, 0.25], [0.25, 0.25], [0.25, 1], [0, 1]);
    expect(rows(filled([corner], 4, 4), 4)).toEqual(['1111', '1000', '1000', '1000']);
  });

  it('are clipped to the image', () => {
    expect(rows(filled([at([-1, -1], [0.5, -1], [0.5, 2], [-1, 2])], 4, 2), 4)).toEqual(['1100', '1100']);
  });
});

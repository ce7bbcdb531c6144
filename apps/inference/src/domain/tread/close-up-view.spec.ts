import { emptyField } from '../field';
import type { TreadMaps } from './tread-maps';
import { closeUpView } from './close-up-view';

const [WIDTH, HEIGHT] = [384, 256];

function treadAt(left: number, top: number, right: number, bottom: number): TreadMaps {
  const fields = [0, 1, 2, 3, 4].map(() => emptyField(WIDTH, HEIGHT));
  for (let y = top; y < bottom; y++) fields[0]!.data.fill(1, y * WIDTH + left, y * WIDTH + right);
  const [tread, groove, depth, spread, lateral] = fields;
  return {
    ...{ tread: tread!, groove: groove!, depth: depth!, spread: spread!, lateral: lateral!, rotationRad: 0 },
    ...{ side: [1, 0, 0], isTread: 1, blurPx: 1, brightness: 0.5 },
  };
}

describe('a close-up', () => {
  it('covers the tread and a margin', () => {
    const { left, top, width, height } = closeUpView(treadAt(100, 80, 200, 160))!;
    for (const [share, px] of [
      [left * WIDTH, 100 - 12],
      [top * HEIGHT, 80 - 12],
      [(left + width) * WIDTH, 200 + 12],
      [(top + height) * HEIGHT, 160 + 12],
    ] as const) {
      expect(Math.abs(share - px)).toBeLessThan(4);
    }
  });

  it('stays within the image', () => {
    const { left, top, width, height } = closeUpView(treadAt(0, 150, 120, HEIGHT))!;
    expect([left, left + width <= 1, top > 0, top + height]).toEqual([0, true, true, 1]);
  });

  it.each<[string, TreadMaps]>([
    ['fills the image', treadAt(10, 0, 370, HEIGHT)],
    ['is hardly there', treadAt(100, 100, 114, 114)],
    ['is not there', treadAt(0, 0, 0, 0)],
  ])('is not taken where a tread %s', (_, maps) => {
    expect(closeUpView(maps)).toBeUndefined();
  });
});

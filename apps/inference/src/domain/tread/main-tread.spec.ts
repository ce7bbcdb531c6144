import { drawn, four } from './drawn-tread.fixture';
import { mainTread } from './main-tread';
import { treadPixels, type TreadMaps } from './tread-maps';

const HALF = 80;

/** Across and along the tire from the middle of a pixel, in pixels. */
function placeOf({ tread: { width, height }, rotationRad }: TreadMaps, pixel: number): { across: number; along: number } {
  const [x, y] = [(pixel % width) - (width - 1) / 2, Math.floor(pixel / width) - (height - 1) / 2];
  return {
    across: x * Math.cos(rotationRad) + y * Math.sin(rotationRad),
    along: y * Math.cos(rotationRad) - x * Math.sin(rotationRad),
  };
}

/** The drawn tread without the pixels for which `isHidden` holds. */
function without(maps: TreadMaps, isHidden: (across: number, along: number) => boolean): TreadMaps {
  const data = maps.tread.data.map((value, pixel) => {
    const { across, along } = placeOf(maps, pixel);
    return isHidden(across, along) ? 0 : value;
  });
  return { ...maps, tread: { ...maps.tread, data } };
}

const acrossSeen = (maps: TreadMaps) => [...treadPixels(maps)].map((pixel) => placeOf(maps, pixel).across);

describe('of several tires', () => {
  /** The gap between two tires, right of the middle: the left one is larger. */
  const GAP = { from: 20, to: 30 };
  const two = (tiltDeg: number) => without(drawn({ tiltDeg, half: HALF, grooves: four }), (across) => across > GAP.from && across < GAP.to);

  it.each([0, 25, 90])('the largest stays, turned by %d degrees', (tiltDeg) => {
    const maps = two(tiltDeg);
    expect(Math.max(...acrossSeen(maps))).toBeGreaterThan(GAP.to + 30);
    const seen = acrossSeen(mainTread(maps));
    expect(Math.max(...seen)).toBeLessThanOrEqual(GAP.from + 1);
    expect(seen).toHaveLength(acrossSeen(maps).filter((across) => across < GAP.from + 1).length);
  });

  it('keeps all other maps', () => {
    const maps = two(0);
    expect({ ...mainTread(maps), tread: undefined }).toEqual({ ...maps, tread: undefined });
  });
});

describe('a single tire', () => {
  it('stays as it is', () => {
    const maps = drawn();
    expect(mainTread(maps)).toBe(maps);
  });

  it.each([0, 25])('stays whole where something crosses it, turned by %d degrees', (tiltDeg) => {
    const maps = without(drawn({ tiltDeg, half: HALF }), (_, along) => along > 10 && along < 30);
    expect(mainTread(maps)).toBe(maps);
  });

  it.each([0, 180])('stays whole where its halves meet at one end only, turned by %d degrees', (tiltDeg) => {
    const maps = without(drawn({ tiltDeg, half: HALF }), (across, along) => across > 20 && across < 30 && along < 70);
    expect(mainTread(maps)).toBe(maps);
  });

  it('may have no tread at all', () => {
    const maps = without(drawn(), () => true);
    expect(mainTread(maps)).toBe(maps);
  });
});

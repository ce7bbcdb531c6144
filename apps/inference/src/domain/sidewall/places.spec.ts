import type { Line } from './line-reader';
import { byPlace } from './places';

const at = (left: number, top: number, width: number, height: number): Line => ({
  box: { x: 0, y: 0, length: 1, height: 1, angleRad: 0 },
  outline: [
    { x: left, y: top },
    { x: left + width, y: top },
    { x: left + width, y: top + height },
    { x: left, y: top + height },
  ],
  readings: [],
  spelled: { text: '', sureness: [] },
  other: undefined,
});

describe('places', () => {
  const whole = at(0.1, 0.1, 0.4, 0.05);

  it.each<[string, Line]>([
    ['the same box again', whole],
    ['a part of it', at(0.1, 0.1, 0.1, 0.05)],
    ['what another view shows of it', at(0.12, 0.105, 0.42, 0.05)],
  ])('of %s are one', (_, other) => {
    expect(byPlace([whole, other])).toEqual([[whole, other]]);
  });

  it('of one box are one, even where it has no area in the photograph', () => {
    const beyond = at(0.3, 0, 0.2, 0);
    expect(byPlace([beyond, { ...beyond }])).toHaveLength(1);
  });

  it.each<[string, Line]>([
    ['across the wheel', at(0.1, 0.8, 0.4, 0.05)],
    ['in the row below', at(0.1, 0.14, 0.4, 0.05)],
    ['behind it on its line', at(0.48, 0.1, 0.4, 0.05)],
  ])('%s are others', (_, other) => {
    expect(byPlace([whole, other])).toEqual([[whole], [other]]);
  });
});

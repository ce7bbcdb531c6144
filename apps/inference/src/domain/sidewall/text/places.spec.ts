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
  decodedText: { text: '', certainty: [] },
  other: undefined,
});

/** A text around a circle from one angle to another, in the form of outlineOf. */
const round = (fromDeg: number, toDeg: number): Line => {
  const point = (radius: number) => (_: unknown, i: number) => {
    const angle = ((fromDeg + ((toDeg - fromDeg) * i) / 8) * Math.PI) / 180;
    return { x: 0.5 + radius * Math.cos(angle), y: 0.5 + radius * Math.sin(angle) };
  };
  const [top, foot] = [0.4, 0.35].map((radius) => Array.from({ length: 9 }, point(radius)));
  return { ...at(0, 0, 0, 0), outline: [...top!, ...foot!.reverse()] };
};

describe('places', () => {
  const whole = at(0.1, 0.1, 0.4, 0.05);

  it.each<[string, Line]>([
    ['the same box again', whole],
    ['a part of it', at(0.1, 0.1, 0.1, 0.05)],
    ['what another view shows of it', at(0.12, 0.105, 0.42, 0.05)],
  ])('of %s are one place', (_, other) => {
    expect(byPlace([whole, other])).toEqual([[whole, other]]);
  });

  it('of one box are one place, even if its outline has no area', () => {
    const beyond = at(0.3, 0, 0.2, 0);
    expect(byPlace([beyond, { ...beyond }])).toHaveLength(1);
  });

  it.each<[string, Line]>([
    ['across the wheel', at(0.1, 0.8, 0.4, 0.05)],
    ['in the row below', at(0.1, 0.14, 0.4, 0.05)],
    ['behind it on its line', at(0.48, 0.1, 0.4, 0.05)],
  ])('%s are different places', (_, other) => {
    expect(byPlace([whole, other])).toEqual([[whole], [other]]);
  });

  it('of bent texts are one place where most of the shorter text lies in the longer one', () => {
    expect(byPlace([round(0, 130), round(60, 150), round(20, 40)])).toHaveLength(1);
    expect(byPlace([round(0, 90), round(-50, -10), round(100, 200)])).toHaveLength(3);
  });

  it('across the wheel are different, though the bounding rectangles overlap', () => {
    expect(byPlace([round(-170, 0), round(-95, -85)])).toHaveLength(1);
    expect(byPlace([round(0, 270), round(-60, -30)])).toHaveLength(2);
  });

  it('are merged by a longer text that contains them', () => {
    const [left, right, both] = [round(0, 40), round(50, 90), round(0, 90)];
    expect(byPlace([left, right])).toHaveLength(2);
    expect(byPlace([left, right, both])).toEqual([[left, right, both]]);
  });
});

import { SIGN_NAMES, SIGNS } from './signs';

const channel = (hex: string): number => {
  const share = Number.parseInt(hex, 16) / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const luminance = (colour: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) => channel(colour.slice(at, at + 2)));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};
const contrast = (one: string, other: string): number => {
  const [bright, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (bright! + 0.05) / (dark! + 0.05);
};

describe('a sign', () => {
  it.each(SIGN_NAMES)('%s can be read in both schemes', (name) => {
    for (const { ink, paper } of [SIGNS[name].light, SIGNS[name].dark]) expect(contrast(ink, paper)).toBeGreaterThanOrEqual(4.5);
  });

  it('has a shape of its own', () => {
    const shapes = SIGN_NAMES.map((name) => SIGNS[name].icon.sign);
    expect(new Set(shapes).size).toBe(shapes.length);
  });
});

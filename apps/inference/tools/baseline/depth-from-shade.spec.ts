import { depthFromShade, type DepthCalibration } from './depth-from-shade';

const plain: DepthCalibration = { treadWidthMm: 195, wallLightShare: 0, scale: 1, offsetMm: 0, deepestMm: 9 };

describe('depth from shade', () => {
  it('is computed from the share of sky that a floor sees', () => {
    for (const depthMm of [1, 2, 4, 8]) {
      const share = 4.5 / Math.hypot(4.5, depthMm);
      expect(depthFromShade(share, 9, plain)).toBeCloseTo(depthMm, 6);
    }
  });

  it('subtracts the light of the walls first', () => {
    const share = 0.05 + 0.95 * (4 / Math.hypot(4, 3));
    expect(depthFromShade(share, 8, { ...plain, wallLightShare: 0.05 })).toBeCloseTo(3, 6);
  });

  it('is 0 where the floor is as bright as the rib, and capped at the deepest', () => {
    expect(depthFromShade(1, 9, plain)).toBe(0);
    expect(depthFromShade(1.2, 9, plain)).toBe(0);
    expect(depthFromShade(0, 9, plain)).toBe(9);
  });
});

import { MANUAL_LIMITS, type ManualTire } from '@tire/contracts/console';
import * as rules from './entered-values';

const firstUnusual = (tires: readonly ManualTire[]) => rules.firstUnusual(tires, MANUAL_LIMITS.depthMm);

const SIZE = { section_width: 225, aspect_ratio: 45, rim_diameter: 17 };
const tires = (over: Partial<Record<ManualTire['position'], Partial<ManualTire>>> = {}): ManualTire[] =>
  (['front_left', 'front_right', 'rear_left', 'rear_right'] as const).map((position) => ({
    position,
    groove_depths_mm: [5, 5.2, 5.1],
    size: SIZE,
    ...over[position],
  }));

describe('entered values', () => {
  it.each([
    ['usual values', tires(), null],
    ['new tires', tires({ front_left: { groove_depths_mm: [9, 9, 9] } }), null],
    ['worn to the limit', tires({ front_left: { groove_depths_mm: [1.6, 0.5] } }), null],
    ['without sizes', tires({ front_left: { size: null }, front_right: { size: undefined } }), null],
    [
      'other sizes on the rear axle',
      tires({ rear_left: { size: { ...SIZE, section_width: 255 } }, rear_right: { size: { ...SIZE, section_width: 255 } } }),
      null,
    ],
    ['deeper than a new tire', tires({ front_right: { groove_depths_mm: [5, 9.1] } }), 'tires[1].groove_depths_mm[1]'],
    ['nearly zero', tires({ rear_left: { groove_depths_mm: [0.4, 1] } }), 'tires[2].groove_depths_mm[0]'],
    ['worn on one side', tires({ rear_right: { groove_depths_mm: [2, 5.1] } }), 'tires[3].groove_depths_mm'],
    ['an unusual width', tires({ front_left: { size: { ...SIZE, section_width: 226 } } }), 'tires[0].size'],
    ['an unusual ratio', tires({ rear_right: { size: { ...SIZE, aspect_ratio: 47 } } }), 'tires[3].size'],
    ['two sizes on one axle', tires({ front_right: { size: { ...SIZE, rim_diameter: 18 } } }), 'tires[1].size'],
  ])('%s: %#', (_, given, expected) => {
    expect(firstUnusual(given)).toBe(expected);
  });
});

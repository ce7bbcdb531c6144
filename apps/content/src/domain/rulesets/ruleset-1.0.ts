import type { Ruleset } from './ruleset';

/** Issued: must not change. A different number is a new version in a new file. */
export const RULESET_1_0: Ruleset = {
  version: '1.0',
  depth: {
    // 1.6 mm: legal limit for passenger cars in Korea, EU and UK. 3.0 mm: replacement advised (Hankook, ADAC, MIRA).
    legalLimitMm: 1.6,
    inspectionThresholdMm: 3.0,
    // Truck tires end near 25 mm: anything deeper is no measurement.
    soundMaxMm: 30,
  },
  braking: {
    speedKmh: 100,
    // Korea Transportation Safety Authority 2013, 205/55R16, wet road, 100 km/h.
    points: [
      [1.6, 71.9],
      [2.8, 67.1],
      [4.3, 50.4],
      [5.5, 48.6],
      [7.5, 47.2],
    ],
    // Samsung Traffic Safety Institute: 91 m at 1.6 mm, 105 m at 1.0 mm.
    belowLimitRatio: 105 / 91,
    clampBelowMm: 1.0,
    // Between the 4.0 m of UK guides and the 4.71 m of an Avante.
    carLengthM: 4.5,
    moderateFromPercent: 10,
    longFromPercent: 30,
    withGapPercent: false,
  },
  wear: {
    // A sound tire differs by up to 0.5 mm across, an image adds 0.3 to 0.5 mm of noise.
    evenBelowMm: 1.0,
    shoulderMm: 1.0,
    symmetryBelowMm: 1.0,
    oneShoulderMm: 1.5,
    monotoneToleranceMm: 0.3,
    minimumGrooves: 3,
    minimumConfidence: 0.5,
    newTire: { meanAboveMm: 6.5, grooves: 4 },
  },
  // Makers' own limit lies at 1.5 to 1.6 mm, inside the caution band.
  axle: { cautionFromMm: 1.0, criticalFromMm: 2.0 },
  // Widths end in 5, aspects go in steps of 5; the sizes on sale are 494 to 931 mm high.
  size: {
    widthMm: [125, 355],
    widthStepMm: 10,
    aspectPercent: [25, 85],
    aspectStepPercent: 5,
    rimInch: [12, 24],
    diameterMm: [494, 931],
  },
};

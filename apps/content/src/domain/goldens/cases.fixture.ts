import { type Car, even, NO_IMAGE, sideUnknown, type Size } from '../fixtures/snapshot.fixture';

const SIZE: Size = [225, 45, 17];
const WIDER: Size = [245, 40, 18];
const OTHER: Size = [235, 45, 17];
const SAME = [SIZE, SIZE, SIZE, SIZE] as const;
const GOOD = even(6);

const CENTER = [6, 4.5, 4.5, 6];
const BOTH_SHOULDERS = [4, 5.5, 5.5, 4];
const OUTSIDE = [3.5, 4.5, 5.5, 6];
const INSIDE = [6, 5.5, 4.5, 3.5];

const car = (frontLeft: readonly number[], rest: Partial<Car> = {}): Car => ({
  depths: [frontLeft, GOOD, GOOD, GOOD],
  sizes: SAME,
  ...rest,
});

/** One golden for each: `<name>.json` beside this file is the document that was issued for it. */
export const CASES: Readonly<Record<string, Car>> = {
  'good-new-tires': { depths: [even(7.5), even(7.5), even(7.5), even(7.5)], sizes: SAME },
  'good-used-tires': { depths: [even(5), even(5.2), even(4.8), even(4.9)], sizes: SAME },
  'good-long-stop': { depths: [even(3.2), even(3.2), even(3.2), even(3.2)], sizes: SAME },
  'good-just-above-threshold': car(even(3.05), { depths: [even(3.05), even(3.1), even(3.1), even(3.1)] }),

  'caution-one-tire': car(even(2.7), { depths: [even(2.7), even(3.2), even(6), even(6)] }),
  'caution-at-threshold': { depths: [even(3), even(3.5), even(5), even(5)], sizes: SAME },
  'caution-just-above-limit': { depths: [even(1.65), even(2), even(5), even(5)], sizes: SAME },
  'caution-two-tires': { depths: [even(2.5), even(2.4), even(5), even(5)], sizes: SAME },
  'caution-all-tires': { depths: [even(2.5), even(2.4), even(2.2), even(2.3)], sizes: SAME },
  'caution-axle-difference': { depths: [even(5), even(6.2), even(6), even(6)], sizes: SAME },
  'caution-axle-difference-large': { depths: [even(6), even(6), even(7), even(4)], sizes: SAME },
  'caution-wear-and-axle-difference': { depths: [CENTER, even(6), even(6), even(6)], sizes: SAME },

  'critical-at-limit': { depths: [even(1.6), even(2), even(5), even(5)], sizes: SAME },
  'critical-shown-at-limit': { depths: [even(1.649), even(2), even(5), even(5)], sizes: SAME },
  'critical-below-limit': { depths: [even(1.2), even(1.9), even(5), even(5)], sizes: SAME },
  'critical-bald': { depths: [even(0), even(0.4), even(0.2), even(0.3)], sizes: SAME },
  'critical-and-caution': { depths: [even(1.4), even(2.2), even(5), even(5)], sizes: SAME },
  'critical-one-groove': car([6, 6, 1.5, 6]),
  'critical-and-unread': { depths: [even(1.2), null, even(5), even(5)], sizes: SAME },

  'wear-center': car(CENTER, { depths: [CENTER, even(5), even(5), even(5)] }),
  'wear-both-shoulders': { depths: [BOTH_SHOULDERS, BOTH_SHOULDERS, even(5), even(5)], sizes: SAME },
  'wear-outside-left-tires': { depths: [OUTSIDE, even(4), OUTSIDE, even(4)], sizes: SAME },
  'wear-outside-right-tires': { depths: [even(4), OUTSIDE, even(4), OUTSIDE], sizes: SAME },
  'wear-inside-left-tires': { depths: [INSIDE, even(4), INSIDE, even(4)], sizes: SAME },
  'wear-inside-all-tires': { depths: [INSIDE, INSIDE, INSIDE, INSIDE], sizes: SAME },
  'wear-one-side-unknown-which': { depths: [OUTSIDE, INSIDE, CENTER, even(4)], sizes: SAME, change: sideUnknown },
  'wear-every-pattern': { depths: [CENTER, BOTH_SHOULDERS, OUTSIDE, INSIDE], sizes: SAME },
  'wear-mixed': car([3.5, 5.5, 4, 5], { depths: [[3.5, 5.5, 4, 5], even(4), even(4), even(4)] }),
  'wear-like-new': { depths: [[6.4, 7.6, 7.6, 6.4], even(6.5), even(6.5), even(6.5)], sizes: SAME },
  'wear-two-grooves': { depths: [[5, 6], [5, 6], even(5), even(5)], sizes: SAME },
  'wear-low-confidence': { confidence: 0.3, sizes: SAME },
  'wear-without-confidence': { confidence: null, sizes: SAME },

  'missing-one-unread-tire': { depths: [null, GOOD, GOOD, GOOD], sizes: SAME },
  'missing-one-tire-without-photo': { depths: [GOOD, GOOD, GOOD, NO_IMAGE], sizes: SAME },
  'missing-an-axle': { depths: [GOOD, GOOD, null, null], sizes: SAME },
  'missing-a-side': { depths: [GOOD, null, GOOD, null], sizes: SAME },
  'missing-three-tires': { depths: [null, GOOD, NO_IMAGE, null], sizes: SAME },
  'missing-all-unread': { depths: [null, null, null, null], sizes: [null, null, null, null] },
  'missing-all-photos': {
    depths: [NO_IMAGE, NO_IMAGE, NO_IMAGE, NO_IMAGE],
    sizes: [NO_IMAGE, NO_IMAGE, NO_IMAGE, NO_IMAGE],
  },
  'missing-depths-of-a-read-tire': { depths: [[], GOOD, GOOD, GOOD], sizes: SAME },
  'missing-plate': { plate: null, sizes: SAME },

  'sizes-differ-front-and-rear': { sizes: [SIZE, SIZE, WIDER, WIDER] },
  'sizes-front-only': { sizes: [SIZE, SIZE, NO_IMAGE, NO_IMAGE] },
  'sizes-rear-only': { sizes: [null, null, SIZE, SIZE] },
  'sizes-one-side': { sizes: [SIZE, NO_IMAGE, SIZE, NO_IMAGE] },
  'sizes-settled-by-the-other-axle': { sizes: [SIZE, OTHER, SIZE, SIZE] },
  'sizes-disputed-front': { sizes: [SIZE, OTHER, NO_IMAGE, NO_IMAGE] },
  'sizes-disputed-both-axles': { sizes: [SIZE, OTHER, WIDER, [255, 40, 18]] },
  'sizes-disputed-crosswise': { sizes: [SIZE, OTHER, OTHER, SIZE] },
  'sizes-impossible': { sizes: [[5, 45, 17], [225, 45, 17], SIZE, SIZE] },

  'manual-good': { mode: 'manual', sizes: SAME },
  'manual-critical': { mode: 'manual', depths: [[1.5], [2.5], [5], [5]], sizes: SAME },
  'manual-without-some-depths': { mode: 'manual', depths: [[5], [], [5], []], sizes: [SIZE, SIZE, null, null] },
  'manual-empty': { mode: 'manual', depths: [[], [], [], []], sizes: [null, null, null, null] },
  'manual-without-sidewall': { mode: 'manual', depths: [[5], [5], [5], [4]] },

  'template-4t-2s': { sizes: [SIZE, NO_IMAGE, NO_IMAGE, SIZE], template: 'tire_4t_2s' },
  'template-4t-4s': { sizes: SAME, template: 'tire_4t_4s' },
  'template-4t-0s': { depths: [even(5), even(5), even(4), even(4)] },

  'ruleset-1.0-good': { rulesetVersion: '1.0', sizes: SAME },
  'ruleset-1.0-caution': { rulesetVersion: '1.0', depths: [even(3), even(3), even(5), even(5)] },
  'ruleset-1.0-critical': { rulesetVersion: '1.0', depths: [even(1.2), even(3), even(5), even(5)], sizes: SAME },
  'ruleset-1.0-unknown': { rulesetVersion: '1.0', depths: [null, null, null, null] },
};

import {
  baldAt,
  type Car,
  CUT_OFF,
  even,
  GROOVE_UNCLEAR,
  NO_IMAGE,
  sideUnknown,
  type Size,
  WORN_SMOOTH,
} from '../fixtures/snapshot.fixture';

const SIZE: Size = [225, 45, 17];
const OTHER: Size = [205, 55, 16];
const WIDER: Size = [255, 40, 17];
const TALLER: Size = [225, 65, 17];
const SAME = [SIZE, SIZE, SIZE, SIZE] as const;

const car = (rest: Partial<Car>): Car => ({ sizes: SAME, spreadMm: 0.5, rulesetVersion: '2.0', ...rest });
const front = (depthMm: number, rest: Partial<Car> = {}): Car => car({ depths: [even(depthMm), even(5.4), even(5), even(5)], ...rest });

/** One golden for each, in each language. */
export const CASES_2_0: Readonly<Record<string, Car>> = {
  good: car({ depths: [even(6), even(6.2), even(5.8), even(5.9)] }),
  'good-without-intervals': car({ depths: [even(6), even(6.2), even(5.8), even(5.9)], spreadMm: undefined }),
  'good-share-below-threshold': front(4.95, { spreadMm: 2.05 }),
  'good-long-stop': car({ depths: [even(3.4), even(3.4), even(3.4), even(3.4)], spreadMm: 0.2 }),
  'near-threshold': front(3.2),
  caution: front(2.3),
  'near-limit': front(1.9),
  'maybe-at-limit': car({ depths: [even(2.8), even(5.4), even(5), even(5)], spreadMm: 1.3 }),
  'likely-critical': front(1.4),
  'critical-sure': front(1),
  'critical-likely-and-caution': car({ depths: [even(1), even(1.5), even(1.9), even(2.4)] }),
  'exact-depths': front(2.3, { spreadMm: undefined }),
  'exact-at-limit': front(1.6, { spreadMm: undefined }),
  'bald-center': front(5, { bald: [baldAt('center'), null, null, null] }),
  'bald-shoulder-side-known': front(5, { bald: [baldAt('first_shoulder'), null, baldAt('last_shoulder'), null] }),
  'bald-shoulder-side-unknown': front(5, { bald: [baldAt('first_shoulder', 'center'), null, null, null], change: sideUnknown }),
  'bald-whole': front(5, { bald: [baldAt('whole'), null, null, null] }),
  'bald-whole-and-worn': front(0.9, { bald: [baldAt('whole'), null, null, null] }),
  'bald-and-worn': front(0.9, { bald: [baldAt('center'), null, null, null] }),
  'worn-smooth': front(5, { bald: [WORN_SMOOTH, null, null, null] }),
  'too-uncertain': car({ depths: [even(5), even(5), even(5), even(5)], spreadMm: 3.5 }),
  'part-outside-photograph': car({ unseen: [CUT_OFF, null, null, null] }),
  'part-unclear': car({ depths: [even(6), even(2.3), even(5.8), even(5.9)], unseen: [GROOVE_UNCLEAR, GROOVE_UNCLEAR, [], []] }),
  'sure-and-even': car({ spreadMm: 0.2 }),
  'wear-side-known': car({ depths: [[3.5, 4.5, 5.5, 6], [6, 5.5, 4.5, 3.5], even(5), even(5)] }),
  'wear-side-unknown': car({ depths: [[3.5, 4.5, 5.5, 6], [6, 5.5, 4.5, 3.5], even(5), even(5)], change: sideUnknown }),
  'axle-difference': car({ depths: [even(6), even(4), even(6), even(5.2)] }),
  'axle-difference-maybe-none': car({ depths: [even(6), even(5), even(6), even(4.5)], spreadMm: 1 }),
  'axle-difference-large': car({ depths: [even(7), even(4.5), even(6), even(6)], spreadMm: 0.2 }),
  'axle-alike-and-worn': car({ depths: [even(1), even(1), even(5), even(5)] }),
  'unread-and-near-limit': car({ depths: [null, even(1.9), even(5), even(5)] }),
  'without-photographs': car({ depths: [NO_IMAGE, even(5), even(5), even(5)], sizes: [NO_IMAGE, NO_IMAGE, null, null] }),
  'same-photograph': car({ shared: [['tire.tread.front_left', 'tire.tread.front_right']] }),
  'similar-photograph-critical': car({
    depths: [even(1), even(1), even(6), even(6)],
    similar: [['tire.tread.front_left', 'tire.tread.front_right']],
  }),
  'same-photograph-bald-whole': car({
    bald: [baldAt('whole'), baldAt('whole'), null, null],
    shared: [['tire.tread.front_left', 'tire.tread.front_right']],
  }),
  'like-new-and-uncertain': car({ depths: [[6.4, 7.6, 7.6, 6.4], even(7), even(7), even(7)], spreadMm: 2 }),
  'critical-and-aged': car({ depths: [even(1), even(1.5), even(5), even(5)], ageMonths: [80, 130, 80, null] }),
  'same-sidewall-photograph': car({ shared: [['tire.sidewall.front_left', 'tire.sidewall.rear_left']] }),
  'sizes-mixed-front': car({ sizes: [OTHER, [215, 55, 17], SIZE, SIZE] }),
  'sizes-mixed-both': car({ sizes: [OTHER, [215, 55, 17], [215, 55, 17], OTHER] }),
  'sizes-staggered': car({ sizes: [SIZE, SIZE, WIDER, WIDER] }),
  'sizes-diameter': car({ sizes: [SIZE, SIZE, TALLER, TALLER] }),
  'sizes-one-of-each-axle': car({ sizes: [SIZE, NO_IMAGE, SIZE, NO_IMAGE] }),
  'old-tires': car({ ageMonths: [130, 130, 80, 30] }),
  'aging-tires': car({ ageMonths: [80, 80, 75, null] }),
  'manual-good': car({ mode: 'manual', spreadMm: undefined }),
  'manual-critical': car({ mode: 'manual', spreadMm: undefined, depths: [[1.5], [2.5], [5], []] }),
  'template-4t-0s': car({ sizes: undefined }),
};

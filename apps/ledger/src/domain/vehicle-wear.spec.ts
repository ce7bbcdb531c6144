import { lineThrough, proposals, wearOf, type Inspection, type Judgement } from './vehicle-wear';

const DAY_MS = 86_400_000;
type Depths = Readonly<Record<string, number | readonly [depthMm: number, half: number]>>;

const inspection = (day: number, depths: Depths, mileageKm: number | null = null, isDoubtful = false): Inspection => ({
  reportId: `day ${day}`,
  atMs: day * DAY_MS,
  mileageKm,
  depths: Object.fromEntries(
    Object.entries(depths).map(([position, value]) => {
      const [depthMm, half] = typeof value === 'number' ? [value, 0.3] : value;
      return [position, { depthMm, intervalMm: [depthMm - half, depthMm + half], isDoubtful }];
    }),
  ),
});
const front = (day: number, depthMm: number, mileageKm: number | null = null) => inspection(day, { front_left: depthMm }, mileageKm);
const daysOf = (wear: ReturnType<typeof wearOf>) =>
  wear.reached.map(({ limitMm, earliestMs, latestMs }) => [limitMm, earliestMs / DAY_MS, latestMs === null ? null : latestMs / DAY_MS]);

it.each<[string, Inspection[], string]>([
  ['no inspection', [], 'too_few'],
  ['one inspection', [front(0, 7)], 'too_few'],
  ['two at the same moment', [front(5, 7), front(5, 6)], 'too_few'],
  ['two of which one is doubtful', [front(0, 7), inspection(100, { front_left: 6 }, null, true)], 'too_few'],
  ['depths that rise', [front(0, 5), front(100, 5.2)], 'no_wear'],
  ['depths that stay', [front(0, 5), front(100, 5)], 'no_wear'],
])('%s: no range, with the reason', (_, inspections, refused) =>
  expect(wearOf('front_left', inspections, [])).toMatchObject({ refused, reached: [], per10000Km: null }),
);

it('a depth without an interval does not count', () => {
  const bare: Inspection = { ...front(100, 6), depths: { front_left: { depthMm: 6, intervalMm: null, isDoubtful: false } } };
  expect(wearOf('front_left', [front(0, 7), bare], [])).toMatchObject({ refused: 'too_few', inspections: 1 });
});

it('each limit has a range around the day on which the line reaches it', () => {
  // 1 mm in 100 days: 3.0 mm on day 400, 1.6 mm on day 540.
  const wear = wearOf('front_left', [front(0, 7), front(100, 6), front(200, 5), front(300, 4)], []);
  const [caution, legal] = daysOf(wear) as [number, number, number][];
  expect([caution![0], legal![0]]).toEqual([3, 1.6]);
  expect(caution![1]).toBeLessThan(400);
  expect(caution![2]).toBeGreaterThan(400);
  expect(legal![1]).toBeLessThan(540);
  expect(legal![2]).toBeGreaterThan(540);
});

it('a tire below a limit has reached it by its last inspection, and wear that is hardly known has no last day', () => {
  expect(daysOf(wearOf('front_left', [front(0, 4), front(200, 2)], []))[0]).toEqual([3, 200, 200]);
  expect(daysOf(wearOf('front_left', [front(0, 7), front(10, 6.9)], []))[1]![2]).toBeNull();
});

it('wear in 10,000 km needs two mileages', () => {
  const { per10000Km } = wearOf('front_left', [front(0, 7, 10_000), front(100, 6, 20_000), front(200, 5, 30_000)], []);
  expect(per10000Km!.mm).toBeCloseTo(1);
  expect(per10000Km!.lowMm).toBeLessThan(1);
  expect(per10000Km!.highMm).toBeGreaterThan(1);
  expect(wearOf('front_left', [front(0, 7, 10_000), front(100, 6)], []).per10000Km).toBeNull();
});

it('a confirmed replacement or rotation begins a new series, a refused one does not', () => {
  const inspections = [front(0, 4), front(100, 3), front(200, 8), front(300, 7)];
  const judged = (verdict: Judgement['verdict'], over: Partial<Judgement> = {}): Judgement[] => [
    { reportId: 'day 200', position: 'front_left', verdict, withPosition: null, ...over },
  ];
  expect(wearOf('front_left', inspections, judged('replaced'))).toMatchObject({ inspections: 2, refused: null });
  expect(wearOf('front_left', inspections, judged('refused'))).toMatchObject({ inspections: 4, refused: 'no_wear' });
  expect(wearOf('front_left', inspections, judged('rotated', { position: 'rear_left', withPosition: 'front_left' })).inspections).toBe(2);
});

it('proposes a rotation where two depths change places, a replacement where one rises, and nothing within the intervals', () => {
  const before = inspection(0, { front_left: 4, front_right: 5, rear_left: 7, rear_right: 5 });
  const after = inspection(100, { front_left: 6.8, front_right: 8, rear_left: 3.9, rear_right: 5.4 });
  expect(proposals([before, after], [])).toEqual([
    { reportId: 'day 100', position: 'front_left', kind: 'rotated', withPosition: 'rear_left' },
    { reportId: 'day 100', position: 'front_right', kind: 'replaced', withPosition: null },
  ]);
  const judgement: Judgement = { reportId: 'day 100', position: 'front_right', verdict: 'refused', withPosition: null };
  expect(proposals([before, after], [judgement])).toHaveLength(1);
});

describe('for random tires', () => {
  let seed = 11;
  const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const rounds = Array.from({ length: 300 }, () => {
    const [new_, perDay] = [5 + 3 * random(), 0.002 + 0.02 * random()];
    return Array.from({ length: 2 + Math.floor(6 * random()) }, (_, index) => {
      const day = index * 60 + Math.floor(30 * random());
      return inspection(day, { front_left: [new_ - perDay * day + 0.4 * (random() - 0.5), 0.1 + 0.5 * random()] });
    });
  });

  it('a range begins at the last inspection or later, ends after it begins, and the lower limit comes later', () => {
    for (const inspections of rounds) {
      const wear = wearOf('front_left', inspections, []);
      if (wear.refused) continue;
      const lastMs = inspections.at(-1)!.atMs;
      for (const { earliestMs, latestMs } of wear.reached) {
        expect(earliestMs).toBeGreaterThanOrEqual(lastMs);
        if (latestMs !== null) expect(latestMs).toBeGreaterThanOrEqual(earliestMs);
      }
      const [caution, legal] = wear.reached;
      if (caution && legal) expect(legal.earliestMs).toBeGreaterThanOrEqual(caution.earliestMs);
    }
  });

  it('wider intervals give a wider range, and a later clock moves nothing', () => {
    for (const inspections of rounds) {
      const line = lineThrough(inspections.map(({ atMs }, index) => ({ x: atMs / DAY_MS, depthMm: 7 - index, sigmaMm: 0.2 })))!;
      const wide = lineThrough(inspections.map(({ atMs }, index) => ({ x: atMs / DAY_MS, depthMm: 7 - index, sigmaMm: 0.4 })))!;
      expect(wide.slope).toBeCloseTo(line.slope, 9);
      expect(wide.slopeVariance).toBeCloseTo(4 * line.slopeVariance, 9);
      const shifted = inspections.map((one) => ({ ...one, atMs: one.atMs + 1_000 * DAY_MS }));
      const [one, other] = [wearOf('front_left', inspections, []), wearOf('front_left', shifted, [])];
      expect(daysOf(other)).toEqual(daysOf(one).map(([limit, from, to]) => [limit, from! + 1_000, to === null ? null : to! + 1_000]));
    }
  });
});

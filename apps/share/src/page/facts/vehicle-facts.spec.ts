import { VEHICLE_PAGE_INSPECTIONS, VEHICLE_REPORTS_MAX } from '@tire/contracts/limits';
import { vehicleFixture } from '../../testing/vehicle.fixture';
import { depthChart } from '../drawings/depth-chart';
import { VEHICLE_WORDS } from '../words/vehicle-words';
import { ageMonths, vehicleFacts, type VehicleShown } from './vehicle-facts';

const NOW = new Date('2026-11-27T00:00:00Z');
const shown = (over: Partial<VehicleShown> = {}): VehicleShown => ({
  vehicle: vehicleFixture(),
  showsPlate: false,
  timeZone: 'Asia/Seoul',
  now: NOW,
  ...over,
});
const facts = (over: Partial<VehicleShown> = {}, language: 'ko' | 'en' = 'en') => vehicleFacts(VEHICLE_WORDS[language], shown(over));
/** Without the marks that keep a range on one line. */
const plain = (text: string) => text.replace(/\u00a0/g, ' ').replace(/\u2060/g, '');
const valuesOf = ({ facts: rows }: ReturnType<typeof facts>['tires'][number]) =>
  Object.fromEntries(rows.map(({ label, value }) => [label, plain(value)]));

it.each([
  [2019, 23, 89],
  [2026, 47, 0],
  [2026, 49, null],
  [2027, 1, null],
  [2020, 53, 70],
])('a tire of %d, week %d, is %p months old', (year, week, months) => {
  expect(ageMonths({ year, week }, NOW)).toBe(months);
});

it('tells of each tire its depth, ranges, wear and age', () => {
  const [frontLeft, frontRight, rearLeft, rearRight] = facts().tires.map(valuesOf);
  expect(frontLeft).toEqual({
    'Latest depth': 'about 6.4 mm (6.1–6.8 mm)',
    'Reaches 3.0 mm': 'Known after two inspections or more.',
    'Reaches 1.6 mm': 'Known after two inspections or more.',
  });
  expect(frontRight).toEqual({
    'Latest depth': 'No groove found',
    'Reaches 3.0 mm': 'by Oct 10, 2026',
    'Reaches 1.6 mm': 'Nov 20, 2026 to Feb 3, 2027',
    'Wear in 10,000 km': '1.4 mm (1.1 to 1.6)',
    Made: 'week 23 of 2019 (7 years 5 months ago)',
  });
  expect(rearLeft).toMatchObject({
    'Reaches 3.0 mm': 'Jan 5, 2027 or later',
    'Reaches 1.6 mm': 'not within ten years',
    'Wear in 10,000 km': 'Too few mileages are known.',
  });
  expect(rearRight).toMatchObject({ 'Reaches 3.0 mm': 'Not known: the depth did not fall.' });
  expect(facts().tires.map(({ advice }) => advice !== null)).toEqual([false, true, false, false]);
});

it('names what happened to a tire, and joins the depths of one tire only', () => {
  const [frontLeft, , rearLeft] = facts({}, 'ko').tires;
  expect(frontLeft!.rows.map(({ note }) => note)).toEqual(['', '교체', '', '', '']);
  expect(rearLeft!.rows.map(({ note }) => note)).toEqual(['', '', '일부만 확인됨', '', '']);
  const series = depthChart(frontLeft!.points).shapes.find(({ look }) => look === 'series')!.path;
  expect(series.match(/[ML]/g)).toEqual(['M', 'L', 'L', 'M', 'L']);
});

it('an age of the tire before a change is not that of the new one', () => {
  const vehicle = vehicleFixture();
  const old = vehicle.inspections.map(({ tires, ...rest }, index) => ({
    ...rest,
    tires: tires.map((tire) => ({ ...tire, made: index === 0 ? { week: 1, year: 2010 } : undefined })),
  }));
  const made = facts({ vehicle: { ...vehicle, inspections: old } }).tires.map((tire) => valuesOf(tire)['Made'] !== undefined);
  expect(made).toEqual([false, true, true, true]);
});

it('a change without a depth parts the depths before and after it', () => {
  const vehicle = vehicleFixture();
  const inspections = vehicle.inspections.map(({ tires, ...rest }, index) => ({
    ...rest,
    tires: tires.map((tire) => ({ ...tire, change: index === 1 ? 'rotated' : undefined, depthMm: index === 1 ? undefined : 5 })),
  }));
  expect(facts({ vehicle: { ...vehicle, inspections } }).tires[0]!.points.map(({ isNew }) => isNew)).toEqual([false, true, false, false]);
});

it.each([
  ['12가3456', false, '12가 3***'],
  ['12가3456', true, '12가3456'],
])('the plate %s, shown whole: %p, is %s', (plateNumber, showsPlate, value) => {
  expect(facts({ vehicle: vehicleFixture({ plateNumber }), showsPlate }).plate?.value).toBe(value);
});

it('shows the newest inspections only, and an empty vehicle as one', () => {
  const [one] = vehicleFixture().inspections;
  const many = facts({ vehicle: vehicleFixture({ inspections: Array.from({ length: 60 }, () => one!) }) });
  expect([many.inspections.length, many.tires[0]!.rows.length]).toEqual([VEHICLE_PAGE_INSPECTIONS, VEHICLE_PAGE_INSPECTIONS]);
  expect([many.newestOnly, many.samples]).toEqual([expect.stringContaining('40'), null]);
  expect(many.summary).toContain('60 inspections');
  const most = vehicleFixture({ inspections: Array.from({ length: VEHICLE_REPORTS_MAX }, () => one!) });
  expect(facts({ vehicle: most }).summary).toContain(`${VEHICLE_REPORTS_MAX} or more inspections`);
  expect(facts({ vehicle: most }, 'ko').summary).toContain(`점검 ${VEHICLE_REPORTS_MAX}회 이상`);
  expect(facts({ vehicle: { vehicleIds: [], inspections: [], wear: [], hasSamples: true } })).toMatchObject({
    summary: null,
    plate: null,
    inspections: [],
    samples: expect.stringContaining('sample photos'),
  });
});

import type { VehicleHistory } from '@tire/contracts/console';
import { chartOf } from '../web/pages/reports/depth-scale';

type Inspection = VehicleHistory['inspections'][number];

const inspection = (day: number, part: Pick<Inspection, 'depths_mm' | 'treads'>): Inspection => ({
  report_id: '0195f3a0-0000-7000-8000-000000000001',
  created_at: new Date(Date.UTC(2026, 0, day)).toISOString(),
  analysis_status: 'complete',
  standing: 'good',
  ...part,
});
const tread = { depth_interval_mm: [4, 6] as [number, number], is_bald: false, is_partly_unseen: false, is_image_shared: false };

describe('the chart of a vehicle', () => {
  const chart = chartOf(
    [
      inspection(1, { depths_mm: { front_left: 5, front_right: 5, rear_left: 5 }, treads: { front_left: tread } }),
      inspection(2, {
        depths_mm: { front_left: 5, front_right: 5, rear_right: 5 },
        treads: {
          front_left: { ...tread, is_bald: true },
          front_right: { ...tread, is_partly_unseen: true },
          rear_left: { ...tread, depth_interval_mm: null, is_bald: true },
          rear_right: { ...tread, is_image_shared: true },
        },
      }),
    ],
    600,
    260,
  )!;

  it('has the range of each depth that has one', () => {
    const [first] = chart.series.front_left;
    expect(first!.range!.highY).toBeLessThan(first!.y);
    expect(first!.range!.lowY).toBeGreaterThan(first!.y);
    expect(first!.range!.lowY - first!.y).toBeCloseTo(first!.y - first!.range!.highY);
    expect(chart.series.rear_left.map(({ range }) => range)).toEqual([null]);
  });

  it('marks a depth that does not say how worn the tire is', () => {
    const doubts = (['front_left', 'front_right', 'rear_left', 'rear_right'] as const).map((position) =>
      chart.series[position].map(({ isDoubtful }) => isDoubtful),
    );
    expect(doubts).toEqual([[false, true], [false, true], [false], [true]]);
  });

  it('shows the whole of the highest range', () => {
    const deep = { ...tread, depth_interval_mm: [6, 10.9] as [number, number] };
    const tall = chartOf([inspection(1, { depths_mm: { front_left: 7.9 }, treads: { front_left: deep } })], 600, 260)!;
    expect(tall.series.front_left[0]!.range!.highY).toBeGreaterThan(tall.depths.at(-1)!.y);
  });
});

import type { Report, ReportSlot, TreadResult } from '@tire/contracts/api';
import type { ReportDetail, VehicleHistory } from '@tire/contracts/console';
import { reportExample } from '@tire/contracts/openapi';

const bald: TreadResult['bald_zones'] = {
  share_of_width: 0.3,
  worn_smooth: false,
  zones: [{ place: 'center', from_share: 0.35, to_share: 0.65, polygon_xy_norm: [] }],
};

/** Results with doubts: a bald zone, a tread that is worn smooth, an unknown side, and one image in two slots. */
const CHANGES: Readonly<Record<string, (result: TreadResult) => Partial<TreadResult>>> = {
  front_right: () => ({ bald_zones: bald, unseen_parts: [{ place: 'last_shoulder', reason: 'outside_image' }], vehicle_side: 'unknown' }),
  rear_left: () => ({
    aggregated_depth: null,
    individual_depths: { individual_remaining_depth: [], depth_intervals_mm: [] },
    groove_masks: [],
    bald_zones: { share_of_width: 1, worn_smooth: true, zones: [] },
  }),
  // The lowest lower end and the lowest upper end are in the intervals of different grooves.
  rear_right: () => ({
    individual_depths: {
      individual_remaining_depth: [2.65, 2.8],
      depth_intervals_mm: [
        [2.1, 3.4],
        [1.9, 3.6],
      ],
    },
  }),
};

function changed(slot: ReportSlot): ReportSlot {
  const change = CHANGES[slot.slot.position];
  const result = slot.analysis.result as TreadResult;
  return change ? { ...slot, analysis: { ...slot.analysis, result: { ...result, ...change(result) } } } : slot;
}

const report: Report = {
  ...reportExample,
  slots: reportExample.slots.map(changed),
  warnings: [{ code: 'same_image', slot_ids: ['tire.tread.front_left', 'tire.tread.front_right'] }],
};

export const doubtfulReport: ReportDetail = {
  report,
  work: { standing: 'critical', attention: 'read', handled: null, result: 'critical/1/1' },
  trace_id: '0'.repeat(32),
  history: [],
};

const sure = { depth_interval_mm: [4.5, 5.5] as [number, number], is_bald: false, is_partly_unseen: false, is_image_shared: false };

/** The same doubts in the history of a vehicle. */
export const doubtfulVehicle: VehicleHistory = {
  external_vehicle_id: 'car-12',
  inspections: [
    {
      ...{ report_id: report.report_id, created_at: '2026-03-01T00:00:00.000Z', analysis_status: 'complete', standing: 'critical' },
      depths_mm: { front_left: 5, front_right: 5.2, rear_right: 2.65 },
      treads: {
        front_left: { ...sure, is_bald: true },
        front_right: { ...sure, depth_interval_mm: [4.7, 6.1], is_partly_unseen: true },
        rear_left: { ...sure, depth_interval_mm: null, is_bald: true },
        rear_right: { ...sure, depth_interval_mm: [1.9, 3.4], is_image_shared: true },
      },
    },
  ],
};

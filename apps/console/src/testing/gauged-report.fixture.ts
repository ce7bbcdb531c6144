import type { ReportSlot } from '@tire/contracts/api';
import type { ReportDetail } from '@tire/contracts/console';
import { reportExample } from '@tire/contracts/openapi';

const ENTERED_AT = '2026-11-27T10:00:00.000Z';
const DEPTHS = [5.1, 5.3, 5.2];

const tread = reportExample.slots.find(({ slot_id }) => slot_id === 'tire.tread.front_left')!;

/** The front left tread, with the value of a gauge over the second groove where there is one. */
function slotWith(gaugeMm: number | null): ReportSlot {
  const { result } = tread.analysis;
  if (!result || !('individual_depths' in result)) throw new Error('the example has no tread');
  const depths = DEPTHS.map((mm, index) => (index === 1 && gaugeMm !== null ? gaugeMm : mm));
  const gauge = { groove: 2, depth_mm: gaugeMm ?? 0, measured_mm: 5.3, measured_interval_mm: null, entered_at: ENTERED_AT };
  return {
    ...tread,
    asset: null,
    analysis: {
      ...tread.analysis,
      result: { ...result, individual_depths: { individual_remaining_depth: depths }, groove_masks: [] },
      ...(gaugeMm === null ? {} : { gauge: [gauge] }),
    },
  };
}

export const detailWith = (gaugeMm: number | null): ReportDetail => ({
  report: { ...reportExample, slots: reportExample.slots.map((slot) => (slot.slot_id === tread.slot_id ? slotWith(gaugeMm) : slot)) },
  work: { standing: 'good', attention: 'read', handled: null, result: 'good/1/1' },
  trace_id: '0'.repeat(32),
  history:
    gaugeMm === null
      ? []
      : [
          {
            at: ENTERED_AT,
            what: 'gauge_entered',
            slot_id: tread.slot_id,
            status: null,
            error_code: null,
            model: null,
            analysis_revision: null,
            by: { kind: 'user', name: 'kim@shop.example' },
            trace_id: null,
          },
        ],
});

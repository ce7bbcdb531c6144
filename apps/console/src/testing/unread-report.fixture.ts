import type { ReportSlot } from '@tire/contracts/api';
import type { ReportDetail, SizeGuess } from '@tire/contracts/console';
import { reportExample } from '@tire/contracts/openapi';

const SLOT = 'tire.sidewall.front_left';
const SIZE = { section_width: 205, aspect_ratio: 55, rim_diameter: 16 };

export const guess: SizeGuess = { slot_id: SLOT, size: SIZE };

const tread = reportExample.slots[0]!;
const sidewall = (analysis: Partial<ReportSlot['analysis']>): ReportSlot => ({
  ...tread,
  slot_id: SLOT,
  slot: { position: 'front_left', image_type: 'sidewall' },
  asset: null,
  analysis: { ...tread.analysis, ...analysis },
});

const detailOf = (slot: ReportSlot): ReportDetail => ({
  report: { ...reportExample, slots: [...reportExample.slots.filter(({ slot_id }) => slot_id !== SLOT), slot] },
  work: { standing: 'unknown', attention: 'read', handled: null, result: 'unknown/1/1' },
  trace_id: '0'.repeat(32),
  history: [],
});

/** A sidewall without a size. */
export const unreadReport = detailOf(sidewall({ result: { size: null }, quality: { recognized: false, confidence: null } }));

/** The same after a person has confirmed the size. */
export const confirmedReport = detailOf(
  sidewall({ provenance: 'manual', engine: null, result: { size: SIZE }, quality: { recognized: true, confidence: null } }),
);

import { AnalysisRevisionSnapshot, ReportSlot } from '@tire/contracts';
import { z } from 'zod';

const Envelope = AnalysisRevisionSnapshot.extend({ slots: z.array(z.unknown()) });
const SlotHead = ReportSlot.pick({ slot_id: true });

/** A slot that breaks its contract costs that slot only: the rest of the report still gets its content. */
export function readSnapshot(bytes: Uint8Array): { snapshot: AnalysisRevisionSnapshot; faults: string[] } {
  const faults: string[] = [];
  const envelope = Envelope.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  const slots = envelope.slots.flatMap((raw) => {
    const slot = ReportSlot.safeParse(raw);
    if (slot.success) return [slot.data];
    const where = SlotHead.safeParse(raw);
    faults.push(`${where.success ? where.data.slot_id : 'a slot'}: ${z.prettifyError(slot.error)}`);
    return withoutResult(raw);
  });
  return { snapshot: { ...envelope, slots }, faults };
}

const LooseSlot = z.object({ analysis: z.object({}).loose() }).loose();

/** The slot without what could not be read: its image still stands, its measurement is unknown. */
function withoutResult(raw: unknown): ReportSlot[] {
  const loose = LooseSlot.safeParse(raw);
  if (!loose.success) return [];
  const bare = ReportSlot.safeParse({
    ...loose.data,
    status: 'failed',
    analysis: {
      ...loose.data.analysis,
      status: 'failed',
      result: null,
      quality: null,
      error: { code: 'analysis_failed', retryable: true },
    },
  });
  return bare.success ? [bare.data] : [];
}

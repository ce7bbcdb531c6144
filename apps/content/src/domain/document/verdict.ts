import type { Content, ContentTire } from '@tire/contracts/api';
import type { Verdict } from '@tire/kernel';

/**
 * The verdict in one word, as other services store it, read from the document so that stored documents have one too. `near_limit`: a car to
 * check of which a tire may be at the legal limit already, which is the low end of its interval.
 */
export function verdictOf({ overall, tires, sections }: Pick<Content, 'overall' | 'tires' | 'sections'>): Verdict | null {
  if (overall?.severity !== 'caution') return overall?.severity ?? null;
  const limitMm = sections.flatMap((section) => (section.section_id === 'tread_wear' ? [section.metrics.legal_limit_mm] : []))[0];
  return limitMm !== undefined && tires.some((tire) => mayBeAt(tire, limitMm)) ? 'near_limit' : 'caution';
}

const mayBeAt = ({ severity, depth_interval_mm: interval }: ContentTire, limitMm: number): boolean =>
  severity === 'caution' && !!interval && interval[0] <= limitMm;

import { CreationMode } from '@tire/contracts/api';
import { ATTENTIONS, STANDINGS, standingsOf, URGENCIES, type Attention, type Standing, type Urgency } from '@tire/kernel';
import type { AnalysisStatus } from '../domain/status';
import type { ReportFilter } from './search.statements';

/** A range of the index: its reports begin after `before` and come in this turn. */
export interface Range {
  readonly standing: Standing;
  readonly attention: Attention;
  readonly mode: CreationMode;
  readonly turn: number;
  readonly before: Start;
}

type Start = readonly [at: Date | string, reportId: string];

const WITHOUT_RESULT: readonly string[] = ['awaiting_images', 'processing', 'partial', 'failed'];

const ofStatus = (status: AnalysisStatus): readonly Standing[] =>
  STANDINGS.filter((standing) => (status === 'complete' ? !WITHOUT_RESULT.includes(standing) : standing === status));

const urgencyOf = (standing: Standing): Urgency => URGENCIES.find((urgency) => standingsOf(urgency).includes(standing))!;

/** The turn of a report in a list by urgency. */
export const urgencyTurn = (standing: Standing): number => URGENCIES.indexOf(urgencyOf(standing));

/**
 * What a list reads. `from` is the place after which it goes on: by urgency its turn is that of the last report, and later turns begin at the
 * start of the list. A further filter, such as a branch, is a column of the index before `standing`.
 */
export function rangesOf(
  filter: ReportFilter,
  order: 'urgency' | 'newest',
  from: { readonly turn: number; readonly before: Start },
  start: Start,
): Range[] {
  const { creationMode, analysisStatus, standings, attentions } = filter;
  const listed = STANDINGS.filter(
    (standing) => (standings?.includes(standing) ?? true) && (!analysisStatus || ofStatus(analysisStatus).includes(standing)),
  );
  return listed.flatMap((standing) => {
    const turn = order === 'urgency' ? urgencyTurn(standing) : 0;
    if (turn < from.turn) return [];
    const before = turn === from.turn ? from.before : start;
    return (attentions ?? ATTENTIONS).flatMap((attention) =>
      (creationMode ? [creationMode] : CreationMode.options).map((mode) => ({ standing, attention, mode, turn, before })),
    );
  });
}

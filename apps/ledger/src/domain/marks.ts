import type { Attention, Standing } from '@tire/kernel';
import type { HistoryEntry } from './history';

export const MARKS = ['read', 'handled', 'not_handled'] as const;
export type Mark = (typeof MARKS)[number];

interface Result {
  readonly standing: Standing;
  readonly revisionId: string | null;
  readonly contentRevision: string | null;
}

/** Another one after each change of what the report shows: values, content, or their verdict, which may follow later. */
export const resultName = ({ standing, revisionId, contentRevision }: Result): string =>
  [standing, revisionId ?? '', contentRevision ?? ''].join('/');

/** What a mark makes of a report. Opening one that is handled leaves it handled, and one that is not handled any more has been read. */
export function marked(before: Attention, mark: Mark): Attention {
  if (mark === 'handled') return 'handled';
  if (mark === 'read') return before === 'unread' ? 'read' : before;
  return before === 'handled' ? 'read' : before;
}

/** A member cannot have read or handled a result that came after the page. Taking a mark back needs no result. Null: whatever it is. */
export const isStale = (mark: Mark, seen: string | null, present: string): boolean =>
  mark !== 'not_handled' && seen !== null && seen !== present;

/** Who handled a report stands in its history. Who opened it does not: every member may, many times. */
export const ENTRIES: Readonly<Record<Mark, HistoryEntry['what'] | null>> = { read: null, handled: 'handled', not_handled: 'not_handled' };

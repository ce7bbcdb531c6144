import type { Attention } from '@tire/kernel';
import type { HistoryEntry } from './history';

export const MARKS = ['read', 'handled', 'not_handled'] as const;
export type Mark = (typeof MARKS)[number];

/** What a mark makes of a report. Opening one that is handled leaves it handled, and one that is not handled any more has been read. */
export function marked(before: Attention, mark: Mark): Attention {
  if (mark === 'handled') return 'handled';
  if (mark === 'read') return before === 'unread' ? 'read' : before;
  return before === 'handled' ? 'read' : before;
}

/** Who handled a report stands in its history. Who opened it does not: every member may, many times. */
export const ENTRIES: Readonly<Record<Mark, HistoryEntry['what'] | null>> = { read: null, handled: 'handled', not_handled: 'not_handled' };

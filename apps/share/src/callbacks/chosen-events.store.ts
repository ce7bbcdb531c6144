import { CHOSEN_EVENTS, type ChosenEvent } from '@tire/contracts/limits';
import type { Tx } from '@tire/platform';

const SELECT = 'SELECT events FROM chosen_events WHERE project_id = $1';
const SELECT_WANTED = `
  SELECT (SELECT events FROM chosen_events WHERE project_id = $1) AS events,
         EXISTS (SELECT FROM listeners WHERE project_id = $1 AND until > $2) AS "isListenedTo"`;
const SAVE = `
  INSERT INTO chosen_events (project_id, events) VALUES ($1, $2) ON CONFLICT (project_id) DO UPDATE SET events = EXCLUDED.events`;

export interface WantedEvents {
  readonly chosen: readonly ChosenEvent[];
  /** Somebody listens to the project, who gets all events. */
  readonly isListenedTo: boolean;
}

export async function chosenEvents(tx: Tx, projectId: string): Promise<ChosenEvent[]> {
  const [row] = await tx.rows<{ events: string[] }>(SELECT, [projectId]);
  return inOrder(row?.events);
}

/** Both in one read: this is part of each publication. */
export async function wantedEvents(tx: Tx, projectId: string, now: Date): Promise<WantedEvents> {
  const [row] = await tx.rows<{ events: string[] | null; isListenedTo: boolean }>(SELECT_WANTED, [projectId, now]);
  return { chosen: inOrder(row?.events), isListenedTo: row?.isListenedTo === true };
}

export const chooseEvents = (tx: Tx, projectId: string, events: readonly ChosenEvent[]): Promise<number> =>
  tx.execute(SAVE, [projectId, [...new Set(events)]]);

/** In the order of the list, so that equal choices look equal. */
const inOrder = (events: readonly string[] | null | undefined): ChosenEvent[] => CHOSEN_EVENTS.filter((event) => events?.includes(event));

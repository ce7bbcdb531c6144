import { CHOSEN_EVENTS, type ChosenEvent } from '@tire/contracts/limits';
import type { Tx } from '@tire/platform';

const SELECT = 'SELECT events FROM chosen_events WHERE project_id = $1';
const SAVE = `
  INSERT INTO chosen_events (project_id, events) VALUES ($1, $2) ON CONFLICT (project_id) DO UPDATE SET events = EXCLUDED.events`;

export async function chosenEvents(tx: Tx, projectId: string): Promise<ChosenEvent[]> {
  const [row] = await tx.rows<{ events: string[] }>(SELECT, [projectId]);
  return inOrder(row?.events);
}

export const chooseEvents = (tx: Tx, projectId: string, events: readonly ChosenEvent[]): Promise<number> =>
  tx.execute(SAVE, [projectId, [...new Set(events)]]);

/** In the order of the list, so that equal choices look equal. */
const inOrder = (events: readonly string[] | undefined): ChosenEvent[] => CHOSEN_EVENTS.filter((event) => events?.includes(event));

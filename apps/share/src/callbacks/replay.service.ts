import { Inject, Injectable } from '@nestjs/common';
import type { shareApi } from '@tire/contracts/grpc';
import { CHOSEN_EVENTS, REPLAY_MAX, type ChosenEvent } from '@tire/contracts/limits';
import { CLOCK, type Clock, DomainError, firstIdAt, invalidRequest, isUuid } from '@tire/kernel';
import { Database } from '@tire/platform';
import { replayCallbacks } from './callback-history.store';
import { CallbackQueue } from './callback.queue';
import { chooseEvents, chosenEvents } from './chosen-events.store';

/** What a project is notified of, and notifications again. */
@Injectable()
export class ReplayService {
  constructor(
    private readonly database: Database,
    private readonly queue: CallbackQueue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async events({ projectId }: shareApi.GetChosenEventsRequest): Promise<shareApi.GetChosenEventsResponse> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    return { events: await this.database.withProject(projectId, (tx) => chosenEvents(tx, projectId)) };
  }

  async choose({ projectId, events }: shareApi.ChooseEventsRequest): Promise<shareApi.ChooseEventsResponse> {
    if (!isUuid(projectId)) throw new DomainError('not_found');
    if (!events.every(isChosenEvent)) throw invalid('events', `must be some of ${CHOSEN_EVENTS.join(', ')}.`);
    return this.database.withProject(projectId, async (tx) => {
      await chooseEvents(tx, projectId, events);
      return { events: await chosenEvents(tx, projectId) };
    });
  }

  async replay(request: shareApi.ReplayCallbacksRequest): Promise<shareApi.ReplayCallbacksResponse> {
    const { projectId, queuedFrom, queuedBefore, state = null, types, cursor } = request;
    if (!isUuid(projectId)) throw new DomainError('not_found');
    const [fromMs, beforeMs] = [Date.parse(queuedFrom), Date.parse(queuedBefore)];
    if (Number.isNaN(fromMs)) throw invalid('queued_from', 'must be a time.');
    if (!(beforeMs > fromMs)) throw invalid('queued_before', 'must be later than queued_from.');
    if (cursor !== undefined && !isUuid(cursor)) throw invalid('cursor', 'is not one of a replay.');
    const range = { projectId, firstId: firstIdAt(fromMs), beforeId: firstIdAt(beforeMs), after: cursor ?? null, state, types };
    const replayed = await this.database.withProject(projectId, async (tx) => {
      const rows = await replayCallbacks(tx, range, this.clock.now());
      for (const receiver of new Set(rows.map((row) => row.receiver))) this.queue.due(tx, receiver);
      return rows;
    });
    const last = replayed
      .map(({ id }) => id)
      .sort()
      .at(-1);
    return { replayed: replayed.length, nextCursor: replayed.length === REPLAY_MAX ? last : undefined };
  }
}

const isChosenEvent = (event: string): event is ChosenEvent => CHOSEN_EVENTS.some((known) => known === event);

const invalid = (param: string, message: string): DomainError => invalidRequest([{ param, message: `${param}: ${message}` }]);

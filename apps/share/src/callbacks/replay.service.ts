import { Inject, Injectable } from '@nestjs/common';
import type { shareApi } from '@tire/contracts/grpc';
import { CHOSEN_EVENTS, REPLAY_MAX, type ChosenEvent } from '@tire/contracts/limits';
import { CLOCK, type Clock, DomainError, faulty, firstIdAt, firstMsAt, isUuid } from '@tire/kernel';
import { Database, turnDeadline, type Tx } from '@tire/platform';
import { CallbackQueue } from './callback.queue';
import { chooseEvents, chosenEvents } from './chosen-events.store';
import { lastRead, lockReplays, replayCallbacks, type ReplayRange, waitingAgain } from './replay.store';

const ENDED = ['delivered', 'abandoned'];

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
    if (!events.every(isChosenEvent)) throw faulty('events', `must be some of ${CHOSEN_EVENTS.join(', ')}.`);
    return this.database.withProject(projectId, async (tx) => {
      await chooseEvents(tx, projectId, events);
      return { events: await chosenEvents(tx, projectId) };
    });
  }

  /**
   * Those of a project run one after the other, so that they do not pass the limit together, and none skips what another one locks and then
   * leaves as it was. In this process the turn comes first, because it holds no connection.
   */
  async replay(request: shareApi.ReplayCallbacksRequest): Promise<shareApi.ReplayCallbacksResponse> {
    const range = rangeOf(request);
    return this.database.withRecord(range.projectId, 'replay', (tx) => this.replayPart(tx, range), turnDeadline());
  }

  private async replayPart(tx: Tx, range: ReplayRange): Promise<shareApi.ReplayCallbacksResponse> {
    await lockReplays(tx, range.projectId);
    const count = REPLAY_MAX - (await waitingAgain(tx, range.projectId));
    if (count <= 0) throw new DomainError('rate_limited', { message: TOO_MANY_WAIT });
    const last = await lastRead(tx, range);
    const replayed = await replayCallbacks(tx, range, { last, count, now: this.clock.now() });
    for (const receiver of new Set(replayed.map((row) => row.receiver))) this.queue.due(tx, receiver);
    const ids = replayed.map(({ id }) => id).sort();
    return { replayed: ids.length, nextCursor: (ids.length === count ? ids.at(-1) : last) ?? undefined };
  }
}

const TOO_MANY_WAIT = `${REPLAY_MAX} callbacks that were sent again still wait for their receivers; replay the others later.`;

const isChosenEvent = (event: string): event is ChosenEvent => CHOSEN_EVENTS.some((known) => known === event);

function rangeOf({ projectId, queuedFrom, queuedBefore, state, types, cursor }: shareApi.ReplayCallbacksRequest): ReplayRange {
  if (!isUuid(projectId)) throw new DomainError('not_found');
  const [fromMs, beforeMs] = [firstMsAt(queuedFrom), firstMsAt(queuedBefore)];
  if (Number.isNaN(fromMs)) throw faulty('queued_from', 'must be a time.');
  if (!(beforeMs > fromMs)) throw faulty('queued_before', 'must be later than queued_from.');
  if (state !== undefined && !ENDED.includes(state)) throw faulty('state', `must be one of ${ENDED.join(', ')}.`);
  if (cursor !== undefined && !isUuid(cursor)) throw faulty('cursor', 'is not one of a replay.');
  return { projectId, firstId: firstIdAt(fromMs), beforeId: firstIdAt(beforeMs), after: cursor ?? null, state: state ?? null, types };
}

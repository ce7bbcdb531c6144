import type { LoggedRequests } from '@tire/contracts/api';
import type { QueryOf } from '@tire/contracts/operations';
import { CLOCK, firstIdAt, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { loggedSince } from '../domain/log-slots';
import { LongPolls, NewsSource } from '../edge/long-polls';
import type { KeyHolder } from '../keys/key.store';
import { RequestLog } from './request-log';
import { shownRequest } from './shown-request';
import { entriesWrittenAfter, haveEntries, newestPosition, type LogPosition } from './request-log.store';

const PAGE_MAX = 100;

/** Postgres reads a transaction id that begins with 0 as an octal number. */
const positionIn = (cursor: string): LogPosition => {
  const [written = '', entryId = ''] = cursor.split('.');
  return { written: BigInt(written).toString(), entryId };
};
const cursorOf = ({ written, entryId }: LogPosition): string => `${written}.${entryId}`;

/** The request log of a project for whoever follows it. */
@Injectable()
export class LogTailService implements BeforeApplicationShutdown {
  private readonly source: NewsSource;

  constructor(
    log: RequestLog,
    private readonly database: Database,
    private readonly polls: LongPolls,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.source = new NewsSource('log-tail', (waiting) =>
      haveEntries(
        database,
        waiting.map(({ projectId, cursor }) => ({ projectId, ...positionIn(cursor) })),
        this.since(),
      ),
    );
    log.onWritten(() => this.source.nudge());
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.source.stop();
  }

  answer(caller: KeyHolder, request: FastifyRequest, { after, wait_s: waitS }: QueryOf<'tailRequests'>): Promise<LoggedRequests> {
    const read = (cursor: string | undefined) => this.read(caller.projectId, cursor);
    const isEmpty = ({ requests }: LoggedRequests) => requests.length === 0;
    return this.polls.answer(after, { source: this.source, caller, request, waitS, read, isEmpty });
  }

  private since(): string {
    return firstIdAt(loggedSince(this.clock.now()).getTime());
  }

  private async read(projectId: string, cursor: string | undefined): Promise<LoggedRequests> {
    if (cursor === undefined) return { requests: [], next_cursor: cursorOf(await newestPosition(this.database)) };
    const entries = await entriesWrittenAfter(this.database, projectId, positionIn(cursor), this.since(), PAGE_MAX);
    if (entries.length > 0) return { requests: entries.map(shownRequest), next_cursor: cursorOf(entries.at(-1)!) };
    // Of another database, or of this one before it was restored: nothing would be found until its transactions have come so far.
    const newest = await newestPosition(this.database);
    const isAhead = BigInt(positionIn(cursor).written) > BigInt(newest.written);
    return { requests: [], next_cursor: isAhead ? cursorOf(newest) : cursor };
  }
}

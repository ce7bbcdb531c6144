import { type ListenedCallbacks } from '@tire/contracts/api';
import type { shareApi } from '@tire/contracts/grpc';
import { LISTENED_PAGE_MAX } from '@tire/contracts/limits';
import type { QueryOf } from '@tire/contracts/operations';
import { DomainError } from '@tire/kernel';
import { SHARE, type PromiseClient } from '@tire/platform';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LongPolls, NewsSource } from '../edge/long-polls';
import type { KeyHolder } from '../keys/key.store';

const TEST_ONLY = 'The callbacks of a live project go to its servers only; listen with a key of the test project, svc_test_….';

/** The callbacks of a test project for whoever listens to it. */
@Injectable()
export class ListeningService implements BeforeApplicationShutdown {
  private readonly source: NewsSource;

  constructor(
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    private readonly polls: LongPolls,
  ) {
    this.source = new NewsSource('listening', async (waiting) => {
      const projectIds = [...new Set(waiting.map(({ projectId }) => projectId))];
      const { last } = await share.findLastCallbacks({ projectIds });
      const numbers = new Map(last.map(({ projectId, lastNumber }) => [projectId, lastNumber]));
      return waiting.map(({ projectId, cursor }) => (numbers.get(projectId) ?? 0) > Number(cursor));
    });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.source.stop();
  }

  answer(caller: KeyHolder, request: FastifyRequest, { after, wait_s: waitS }: QueryOf<'listenToCallbacks'>): Promise<ListenedCallbacks> {
    const { mode, projectId } = caller;
    if (mode !== 'test') throw new DomainError('forbidden', { message: TEST_ONLY });
    const read = (cursor: string | undefined) => this.read(projectId, cursor);
    const isEmpty = ({ callbacks }: ListenedCallbacks) => callbacks.length === 0;
    return this.polls.answer(after, { source: this.source, caller, request, waitS, read, isEmpty });
  }

  private async read(projectId: string, cursor: string | undefined): Promise<ListenedCallbacks> {
    const after = cursor === undefined ? undefined : Number(cursor);
    const { callbacks, lastNumber, since } = await this.share.listenToCallbacks({ projectId, after, limit: LISTENED_PAGE_MAX });
    return {
      callbacks: callbacks.map(({ callbackId, type, reportId, queuedAt, headers, body }) => ({
        callback_id: callbackId,
        type: type as ListenedCallbacks['callbacks'][number]['type'],
        report_id: reportId,
        queued_at: queuedAt,
        headers,
        body,
      })),
      next_cursor: String(lastNumber),
      recorded_since: since,
    };
  }
}

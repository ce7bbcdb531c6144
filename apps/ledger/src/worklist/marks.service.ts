import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, faulty, isUuid, type Attention, type Clock } from '@tire/kernel';
import { Database, turnDeadline, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ENTRIES, marked, MARKS, type Mark } from '../domain/marks';
import { lockReports, saveAttention, saveHistory } from './marks.store';

const MARKED_MAX = 100;

/** What the shop knows of its reports: which ones a member has opened, and which ones are handled. One transaction for all of a request. */
@Injectable()
export class MarksService {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async mark({ projectId, reportIds, mark: name }: ledgerApi.MarkReportsRequest): Promise<ledgerApi.MarkReportsResponse> {
    const mark = MARKS.find((each) => each === name);
    if (!mark) throw faulty('mark', `must be one of ${MARKS.join(', ')}.`);
    if (reportIds.length < 1 || reportIds.length > MARKED_MAX) throw faulty('report_ids', `must have 1 to ${MARKED_MAX} ids.`);
    const ids = [...new Set(reportIds.filter(isUuid).map((id) => id.toLowerCase()))];
    const work = (tx: Tx) => this.markAll(tx, projectId, ids, mark);
    const outcomes = await this.database.withProjectInTurn(projectId, work, turnDeadline());
    return { reports: reportIds.map((reportId) => ({ reportId, outcome: outcomes.get(reportId.toLowerCase()) ?? 'not_found' })) };
  }

  private async markAll(tx: Tx, projectId: string, reportIds: readonly string[], mark: Mark): Promise<Map<string, 'marked' | 'unchanged'>> {
    const now = this.clock.now();
    const rows = (await lockReports(tx, reportIds)).map(({ reportId, attention }) => ({
      reportId,
      before: attention,
      after: marked(attention, mark),
    }));
    const changed = rows.filter(({ before, after }) => before !== after);
    const to: Attention | undefined = changed[0]?.after;
    if (to) {
      const ids = changed.map(({ reportId }) => reportId);
      await saveAttention(tx, ids, to, now);
      const what = ENTRIES[mark];
      if (what) await saveHistory(tx, projectId, ids, { what }, now);
    }
    return new Map(rows.map(({ reportId, before, after }) => [reportId, before === after ? 'unchanged' : 'marked']));
  }
}

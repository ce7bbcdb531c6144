import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, faulty, isUuid, type Attention, type Clock } from '@tire/kernel';
import { Database, turnDeadline, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ENTRIES, isStale, marked, MARKS, resultName, type Mark } from '../domain/marks';
import { lockReports, saveAttention, saveHistory } from './marks.store';

const MARKED_MAX = 100;

/** What the shop knows of its reports: which ones a member has opened, and which ones are handled. One transaction for all of a request. */
@Injectable()
export class MarksService {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async mark({ projectId, reportIds, mark: name, seenResults }: ledgerApi.MarkReportsRequest): Promise<ledgerApi.MarkReportsResponse> {
    const mark = MARKS.find((each) => each === name);
    if (!mark) throw faulty('mark', `must be one of ${MARKS.join(', ')}.`);
    if (reportIds.length < 1 || reportIds.length > MARKED_MAX) throw faulty('report_ids', `must have 1 to ${MARKED_MAX} ids.`);
    if (seenResults.length > 0 && seenResults.length !== reportIds.length) throw faulty('seen_results', 'must have one for each report.');
    const seen = new Map(reportIds.map((id, index) => [id.toLowerCase(), seenResults[index] ?? null]));
    const work = (tx: Tx) => this.markAll(tx, projectId, seen, mark);
    const outcomes = await this.database.withProjectInTurn(projectId, work, turnDeadline());
    return { reports: reportIds.map((reportId) => ({ reportId, outcome: outcomes.get(reportId.toLowerCase()) ?? 'not_found' })) };
  }

  /** The locks come first: a result that is being written is seen here, or makes the report unread after this. */
  private async markAll(tx: Tx, projectId: string, seen: ReadonlyMap<string, string | null>, mark: Mark): Promise<Map<string, Outcome>> {
    const now = this.clock.now();
    const rows = (await lockReports(tx, [...seen.keys()].filter(isUuid))).map(({ reportId, attention, ...result }) => ({
      reportId,
      before: attention,
      after: marked(attention, mark),
      isStale: isStale(mark, seen.get(reportId) ?? null, resultName(result)),
    }));
    const changed = rows.filter(({ before, after, isStale }) => !isStale && before !== after);
    const to: Attention | undefined = changed[0]?.after;
    if (to) {
      const ids = changed.map(({ reportId }) => reportId);
      await saveAttention(tx, ids, to, now);
      const what = ENTRIES[mark];
      if (what) await saveHistory(tx, projectId, ids, { what }, now);
    }
    return new Map(rows.map(({ reportId, before, after, isStale }) => [reportId, outcomeOf(isStale, before !== after)]));
  }
}

type Outcome = 'marked' | 'unchanged' | 'stale';

const outcomeOf = (isStale: boolean, isChange: boolean): Outcome => (isStale ? 'stale' : isChange ? 'marked' : 'unchanged');

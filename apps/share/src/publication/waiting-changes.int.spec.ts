import type { DomainError } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { ShareController } from './share.controller';
import { analysisEnded, publishedReport, type RunningShare, startOwnShare } from '../testing/service.fixture';

let share: RunningShare;

beforeAll(async () => void (share = await startOwnShare()));
afterAll(() => share?.close());

it('a change of a publication waits for another one without a connection, so that pages open meanwhile', async () => {
  const { ended: other } = await publishedReport(share);
  const ended = analysisEnded();
  await share.analysisEnded(ended);
  await eventually(() => share.changes(ended.reportId).length > 0);
  await share.owner.query('BEGIN');
  await share.owner.query('SELECT FROM publications WHERE report_id = $1 FOR UPDATE', [ended.reportId]);
  // More than the pool has connections.
  const shares = share.app.get(ShareController);
  const report = { projectId: ended.projectId, reportId: ended.reportId };
  const refused: unknown[] = [];
  const attempts = Array.from({ length: 20 }, () => shares.reissueShare(report).catch((error: unknown) => void refused.push(error)));
  for (let reads = 0; reads < 5; reads += 1)
    expect((await share.app.inject({ method: 'GET', url: `/r/${other.shareToken}` })).statusCode).toBe(200);
  // One waits for Postgres, the others for their turn.
  await eventually(() => refused.length >= 19);
  await share.owner.query('ROLLBACK');
  await Promise.all(attempts);
  expect(new Set(refused.map((error) => (error as DomainError).code))).toEqual(new Set(['service_unavailable']));
});

import { trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { claimCallbacks, dueReceivers, eraseCallbacks, recordAttempts } from './callback.store';
import { Webhook } from 'standardwebhooks';
import { PublicationService } from '../publication/publication.service';
import { analysisEnded, contentIncomplete, contentReady, keys, type RunningShare, startOwnShare } from '../testing/service.fixture';
import { newWebhookSecret, replaceSecret } from '../webhook-secrets/webhook-secret.store';

interface AttemptRow {
  readonly http_status: number | null;
  readonly failure: string | null;
  readonly answer: Buffer | null;
  readonly state: string;
}

const DAYS_91_MS = 91 * 86_400_000;

describe('report.completed', () => {
  let share: RunningShare;

  beforeAll(async () => void (share = await startOwnShare()));
  afterAll(() => share?.close());

  const changes = (reportId: string, count: number) =>
    eventually(() => share.changes(reportId).length >= count && share.changes(reportId), {
      message: `Fewer than ${count} changes of the publication`,
    });

  const attempts = async (reportId: string, count: number) =>
    eventually(async () => {
      const { rows } = await share.owner.query<AttemptRow>(
        `SELECT a.http_status, a.failure, a.answer, c.state FROM callback_attempts a JOIN callbacks c ON c.id = a.callback_id
         WHERE c.report_id = $1 ORDER BY a.number`,
        [reportId],
      );
      return rows.length >= count && rows;
    });
  const dueNow = (reportId: string) => share.owner.query(`UPDATE callbacks SET next_attempt_at = now() WHERE report_id = $1`, [reportId]);

  async function complete(path: string, url = `${share.receiver.origin}${path}`, projectId = newId(), createdAt = new Date()) {
    const report = { projectId, callbackUrl: url, externalInspectionId: 'inspection "1"', createdAt: createdAt.toISOString() };
    const created = analysisEnded(report);
    const ready = contentReady(created);
    await share.analysisEnded(created);
    await share.contentGenerated(ready);
    return { created, ready };
  }

  async function setSecret(projectId: string): Promise<string> {
    const secret = newWebhookSecret();
    await share.app.get(Database).withProject(projectId, (tx) => replaceSecret(tx, keys, projectId, secret, new Date(), 60_000));
    return secret;
  }

  it('has a signature that the standard verifier accepts, and contains no measured value', async () => {
    const projectId = newId();
    const older = await setSecret(projectId);
    const newer = await setSecret(projectId);
    const { created, ready } = await complete('/signed', undefined, projectId);
    const call = await eventually(() => share.receiver.callsTo('/signed')[0]);
    const headers = call.headers as Record<string, string>;
    for (const secret of [newer, older]) expect(() => new Webhook(secret).verify(call.body, headers)).not.toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(call.body, headers)).toThrow();

    const self = `https://api.example.com/api/v1/reports/${created.reportId}`;
    expect(JSON.parse(call.body)).toEqual({
      type: 'report.completed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        report_id: created.reportId,
        analysis_status: 'complete',
        analysis_revision: ready.analysisRevision,
        external_inspection_id: 'inspection "1"',
        external_vehicle_id: null,
        links: { self, content: `${self}/content`, share: `https://share.example.com/r/${created.shareToken}` },
      },
    });
    expect((await attempts(created.reportId, 1))[0]).toMatchObject({ http_status: 204, failure: null, state: 'delivered' });
  });

  it.each([
    ['body', `UPDATE callbacks SET body = (SELECT body FROM callbacks WHERE report_id = $2) WHERE report_id = $1`],
    [
      'secret',
      `UPDATE webhook_secrets SET secret = (SELECT secret FROM webhook_secrets WHERE project_id = (SELECT project_id FROM callbacks WHERE report_id = $2))
       WHERE project_id = (SELECT project_id FROM callbacks WHERE report_id = $1)`,
    ],
  ])('with the %s of another project is not sent, and is tried again later; the other one is sent', async (what, swap) => {
    share.receiver.answers.set(`/swapped-${what}`, [{ status: 503 }]);
    const { created: one } = await complete(`/swapped-${what}`);
    await attempts(one.reportId, 1);
    const { created: other } = await complete(`/other-${what}`);
    await attempts(other.reportId, 1);
    await share.owner.query(swap, [one.reportId, other.reportId]);
    for (const { reportId } of [one, other]) {
      await share.owner.query(`UPDATE callbacks SET state = 'pending', next_attempt_at = now() WHERE report_id = $1`, [reportId]);
    }
    expect((await attempts(one.reportId, 2))[1]).toMatchObject({ http_status: null, failure: 'internal_error', state: 'pending' });
    expect((await attempts(other.reportId, 2))[1]).toMatchObject({ http_status: 204, state: 'delivered' });
    expect(share.receiver.callsTo(`/swapped-${what}`)).toHaveLength(1);
  });

  it('is signed by the newer secret alone if the older one cannot be opened', async () => {
    const projectId = newId();
    const older = await setSecret(projectId);
    const newer = await setSecret(projectId);
    await share.owner.query(`UPDATE webhook_secrets SET secret = '\\x00' WHERE project_id = $1 AND expires_at IS NOT NULL`, [projectId]);
    await complete('/one-opens', undefined, projectId);
    const call = await eventually(() => share.receiver.callsTo('/one-opens')[0]);
    const headers = call.headers as Record<string, string>;
    expect(() => new Webhook(newer).verify(call.body, headers)).not.toThrow();
    expect(() => new Webhook(older).verify(call.body, headers)).toThrow();
  });

  it('contains no expired share link', async () => {
    await complete('/expired', undefined, undefined, new Date(Date.now() - DAYS_91_MS));
    const call = await eventually(() => share.receiver.callsTo('/expired')[0]);
    expect(JSON.parse(call.body)).toMatchObject({ data: { links: { share: null } } });
  });

  it('contains no share link that cannot be opened, and its report is published', async () => {
    const created = analysisEnded({ callbackUrl: `${share.receiver.origin}/no-link` });
    await share.analysisEnded(created);
    await changes(created.reportId, 1);
    await share.owner.query(`UPDATE share_links SET token = '\\x00' WHERE report_id = $1`, [created.reportId]);
    await share.contentGenerated(contentReady(created));
    expect((await changes(created.reportId, 2))[1]).toMatchObject({ publicationStatus: 'published' });
    const call = await eventually(() => share.receiver.callsTo('/no-link')[0]);
    expect(JSON.parse(call.body)).toMatchObject({ data: { report_id: created.reportId, links: { share: null } } });
  });

  it('is sent once for each completed analysis revision, even if its event is repeated', async () => {
    const { created, ready } = await complete('/once');
    await eventually(() => share.receiver.callsTo('/once')[0]);
    // Whether the report or its content arrived first, one event has the publication.
    const changesBefore = await eventually(() => {
      const received = share.changes(created.reportId);
      return received.some(({ publicationStatus }) => publicationStatus === 'published') && received.length;
    });
    await share.contentGenerated(ready);
    await share.contentGenerated(contentIncomplete(created));
    const again = contentReady(created);
    await share.contentGenerated(again);
    await share.contentGenerated(again);
    await changes(created.reportId, changesBefore + 4);
    await attempts(created.reportId, 2);
    expect(
      share.receiver
        .callsTo('/once')
        .map(({ body }) => (JSON.parse(body) as { data: { analysis_revision: string } }).data.analysis_revision),
    ).toEqual([ready.analysisRevision, again.analysisRevision]);
  });

  it('is retried after a failure with the same id and body, and stores the first kilobyte of each answer', async () => {
    share.receiver.answers.set('/flaky', [
      { status: 503, body: 'x'.repeat(5_000) },
      { status: 200, body: 'ok' },
    ]);
    const { created } = await complete('/flaky');
    const [first] = await attempts(created.reportId, 1);
    expect(first).toMatchObject({ http_status: 503, state: 'pending' });
    expect(first?.answer).toHaveLength(1_024);
    await dueNow(created.reportId);
    expect((await attempts(created.reportId, 2))[1]).toMatchObject({ http_status: 200, state: 'delivered' });
    const [one, two] = share.receiver.callsTo('/flaky');
    expect(two?.body).toBe(one?.body);
    expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
  });

  it('is claimed by one process at a time, and again when the claim has ended', async () => {
    share.receiver.answers.set('/claimed', [{ status: 503 }]);
    const { created } = await complete('/claimed');
    await attempts(created.reportId, 1);
    const database = share.app.get(Database);
    // Long after the retry is due, which the service itself does not claim before.
    const now = new Date(Date.now() + 86_400_000);
    const end = new Date(now.getTime() + 60_000);
    const receivers = new Map([[`${created.projectId} ${share.receiver.origin}`, 100]]);
    const capacity = { projects: new Map([[created.projectId, { all: 100, retries: 100 }]]), receivers };
    const claim = async (at: Date) => (await claimCallbacks(database, capacity, at, end)).map(({ attempt }) => attempt);
    expect((await Promise.all([claim(now), claim(now)])).flat()).toEqual([2]);
    expect(await claim(new Date(end.getTime() - 1))).toEqual([]);
    expect(await claim(end)).toEqual([3]);
  });

  it('is queued once for each of two revisions of one millisecond, whatever the order of their content', async () => {
    const created = analysisEnded({ callbackUrl: `${share.receiver.origin}/turns` });
    await share.analysisEnded(created);
    await changes(created.reportId, 1);
    const now = Date.now();
    // Neither is older than the other.
    const [one, other] = [newId(now), newId(now)].map((analysisRevision) => contentReady(created, { analysisRevision }));
    for (const ready of [one!, other!, one!]) await share.app.get(PublicationService).contentGenerated(ready);
    const { rows } = await share.owner.query<{ id: string }>(
      'SELECT analysis_revision AS id FROM callbacks WHERE report_id = $1 ORDER BY analysis_revision',
      [created.reportId],
    );
    expect(rows.map(({ id }) => id)).toEqual([one!.analysisRevision, other!.analysisRevision].toSorted());
  });

  it('is not retried if its report is discarded during an attempt', async () => {
    share.receiver.answers.set('/discarded', [{ status: 503, body: 'inspection "1" is unknown here' }]);
    const { created } = await complete('/discarded');
    await attempts(created.reportId, 1);
    const database = share.app.get(Database);
    const now = new Date(Date.now() + 86_400_000);
    const due = await dueReceivers(database, now);
    const projects = new Map([[created.projectId, { all: 100, retries: 100 }]]);
    const capacity = { projects, receivers: new Map(due.map((receiver) => [receiver, 100])) };
    const [claimed] = (await claimCallbacks(database, capacity, now, now)).filter(({ reportId }) => reportId === created.reportId);
    await database.asSystem((tx) => eraseCallbacks(tx, created.reportId));
    const attempt = { startedAt: now, durationMs: 1, httpStatus: 503, failure: null, answer: Buffer.from('what the receiver knows') };
    await recordAttempts(database, [{ callback: claimed!, attempt, next: { kind: 'retry', at: now } }]);
    const kept = await attempts(created.reportId, 2);
    expect(kept.map(({ state, answer }) => ({ state, answer }))).toEqual([
      { state: 'abandoned', answer: null },
      { state: 'abandoned', answer: null },
    ]);
    const { rows } = await share.owner.query(`SELECT url, body, trace_headers FROM callbacks WHERE report_id = $1`, [created.reportId]);
    expect(rows).toEqual([{ url: '', body: null, trace_headers: {} }]);
    const change = `UPDATE callback_attempts SET http_status = 200, answer = NULL`;
    await expect(share.owner.query(change)).rejects.toThrow('never change');
  });

  it('stops when the receiver returns 410', async () => {
    share.receiver.answers.set('/gone', [{ status: 410 }]);
    const { created } = await complete('/gone');
    expect((await attempts(created.reportId, 1))[0]).toMatchObject({ http_status: 410, state: 'abandoned' });
  });

  it('waits as long as Retry-After requests', async () => {
    share.receiver.answers.set('/later', [{ status: 429, headers: { 'retry-after': '3600' } }]);
    const { created } = await complete('/later');
    await attempts(created.reportId, 1);
    const { rows } = await share.owner.query<{ waitS: number }>(
      `SELECT extract(epoch FROM next_attempt_at - now())::int AS "waitS" FROM callbacks WHERE report_id = $1`,
      [created.reportId],
    );
    expect(rows[0]?.waitS).toBeGreaterThan(3_500);
  });

  it('follows no redirect', async () => {
    share.receiver.answers.set('/redirect', [{ status: 302, headers: { location: `${share.receiver.origin}/elsewhere` } }]);
    const { created } = await complete('/redirect');
    expect((await attempts(created.reportId, 1))[0]).toMatchObject({ state: 'pending' });
    expect(share.receiver.callsTo('/elsewhere')).toHaveLength(0);
  });

  it.each(['http://127.0.0.1:1/hook', 'https://169.254.169.254/latest', 'https://[::1]/hook'])('never calls %s', async (url) => {
    const { created } = await complete('', url);
    expect((await attempts(created.reportId, 1))[0]).toMatchObject({
      http_status: null,
      failure: expect.stringMatching(/forbidden|bad_url/),
      state: 'abandoned',
    });
  });

  it('is sent in the trace that created the report', async () => {
    const provider = new NodeTracerProvider();
    provider.register();
    const traceId = await trace.getTracer('partner').startActiveSpan('POST /reports', async (span) => {
      await complete('/traced');
      span.end();
      return span.spanContext().traceId;
    });
    const call = await eventually(() => share.receiver.callsTo('/traced')[0]);
    expect(call.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-`));
    await provider.shutdown();
    trace.disable();
  });
});

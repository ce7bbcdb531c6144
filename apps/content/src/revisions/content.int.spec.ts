/* oxlint-disable max-lines -- one suite, so that its services start once */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Content } from '@tire/contracts/api';
import { type AnalysisEnded, type ContentGenerated, EVENTS } from '@tire/contracts/events';
import { GRPC_SERVICES } from '@tire/contracts/grpc';
import { Consumers, Publisher } from '@tire/eventing';
import { DomainError, newId } from '@tire/kernel';
import { Database, HealthRegistry, startService } from '@tire/platform';
import { createTestDatabase, eventually, freePort, spawnTypeScript, startNats, type TestDatabase, type TestNats } from '@tire/test-harness';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import * as consumers from 'node:stream/consumers';
import { Client } from 'pg';
import { AppModule } from '../app.module';
import { ContentController } from './content.controller';
import { ContentService } from './content.service';
import { insertOutcome, lockUnlessDiscarded } from './outcome.store';
import { even, snapshotOf } from '../domain/fixtures/snapshot.fixture';
import { MIGRATIONS } from '../migrations';
import { testConfig } from '../testing/config.fixture';
import { type FakeLedger, startFakeLedger } from '../testing/fake-ledger.fixture';

const PROJECT = newId();

describe('content on an analysis that ended', () => {
  let database: TestDatabase;
  let nats: TestNats;
  let ledger: FakeLedger;
  let app: NestFastifyApplication;
  let owner: Client;
  const received: ContentGenerated[] = [];

  beforeAll(async () => {
    [database, nats, ledger] = await Promise.all([
      createTestDatabase({ name: 'content', migrations: MIGRATIONS }),
      startNats(),
      startFakeLedger(await freePort()),
    ]);
    owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query(`SELECT set_config('app.scope', 'system', false)`);
    const config = testConfig({ databaseUrl: database.url, natsUrl: nats.url, ledgerUrl: ledger.address });
    app = await startService({ name: 'content', module: (given) => AppModule.forRoot(given), grpc: [GRPC_SERVICES.content] }, config);
    app.get(Consumers).consume({
      type: EVENTS.contentGenerated,
      durable: 'content-int-spec',
      handle: async (message) => void received.push(message),
    });
    await eventually(() => app.get(HealthRegistry).isReady());
  });

  afterAll(async () => {
    await app?.close();
    await owner?.end();
    await Promise.all([nats?.stop(), ledger?.close()]);
    await database?.drop();
  });

  const report = () => ({
    projectId: PROJECT,
    reportId: newId(),
    analysisRevision: newId(),
    analysisStatus: 'complete',
    completedAt: '2026-10-01T09:00:05.000Z',
    shareToken: 'a-token-that-is-not-used-here',
    createdAt: '2026-10-01T09:00:00.000Z',
  });

  function freeze(message: AnalysisEnded, depthMm = 6, version?: '2.0'): AnalysisEnded {
    const snapshot = snapshotOf({ depths: [even(depthMm), even(6), even(6), even(6)] });
    ledger.snapshots.set(message.analysisRevision, {
      ...snapshot,
      ...(version && { generator: { ruleset_version: version, copy_version: version, projection_version: version } }),
      report_id: message.reportId,
      analysis_revision: message.analysisRevision,
    });
    return message;
  }

  /** Each message gets an id of its own, so that the broker does not drop a repetition. */
  const publish = (message: AnalysisEnded) => app.get(Publisher).publish(EVENTS.analysisEnded, message, { id: newId() });
  const answers = (reportId: string, count: number) =>
    eventually(async () => {
      const own = received.filter((message) => message.reportId === reportId);
      return own.length >= count && own;
    });
  const outcomes = async (reportId: string) =>
    (await owner.query<{ n: number }>('SELECT count(*)::int AS n FROM content_outcomes WHERE report_id = $1', [reportId])).rows[0]?.n;

  it('generates one valid document and stores the bytes that are served', async () => {
    const message = freeze(report());
    await publish(message);
    const [generated] = await answers(message.reportId, 1);
    expect(generated).toMatchObject({ analysisRevision: message.analysisRevision, analysisStatus: 'complete', errorCode: '' });

    const stored = await app.get(ContentController).getContentRevision({ ...message, contentRevision: generated!.contentRevision });
    const digest = createHash('sha256').update(stored.contentJson).digest('base64url');
    expect(stored.etag).toBe(`W/"${digest}"`);
    expect(generated!.etag).toBe(stored.etag);
    const content = Content.parse(JSON.parse(stored.contentJson.toString('utf8')));
    expect(content).toMatchObject({
      report_id: message.reportId,
      content_revision: generated!.contentRevision,
      generated_at: message.completedAt,
    });
  });

  it('issues what it lost again under its id, with the same bytes', async () => {
    const message = freeze(report());
    await publish(message);
    const [{ contentRevision, etag } = { contentRevision: '', etag: '' }] = await answers(message.reportId, 1);
    await owner.query('ALTER TABLE content_outcomes DISABLE TRIGGER USER');
    await owner.query('DELETE FROM content_outcomes WHERE report_id = $1', [message.reportId]);
    await owner.query('ALTER TABLE content_outcomes ENABLE TRIGGER USER');
    await publish({ ...message, contentRevision });
    expect((await answers(message.reportId, 2))[1]).toMatchObject({ contentRevision, etag });
  });

  it('publishes the same revision for each repetition', async () => {
    const message = freeze(report());
    await Promise.all([publish(message), publish(message), publish(message)]);
    const generated = await answers(message.reportId, 3);
    expect(new Set(generated.map(({ contentRevision }) => contentRevision)).size).toBe(1);
    expect(await outcomes(message.reportId)).toBe(1);
  });

  it('fails where a photograph of the sandbox wants it, at each delivery, and passes on what else it wants', async () => {
    const sandbox = { contentFails: true, callbackFailures: 2 };
    const message = { ...freeze(report()), sandbox };
    await Promise.all([publish(message), publish(message)]);
    const generated = await answers(message.reportId, 2);
    for (const each of generated) expect(each).toMatchObject({ errorCode: 'content_source_incomplete', contentRevision: '', sandbox });
    const good = { ...freeze(report()), sandbox: { contentFails: false, callbackFailures: 2 } };
    await publish(good);
    expect((await answers(good.reportId, 1))[0]).toMatchObject({ errorCode: '', sandbox: good.sandbox });
  });

  it('stores both documents when the message about the older analysis arrives last', async () => {
    const older = freeze(report(), 2);
    const newer = freeze({ ...older, analysisRevision: newId() }, 6);
    await publish(newer);
    await answers(older.reportId, 1);
    await publish(older);
    const generated = await answers(older.reportId, 2);
    expect(generated.map(({ analysisRevision }) => analysisRevision)).toEqual([newer.analysisRevision, older.analysisRevision]);
    expect(await outcomes(older.reportId)).toBe(2);
  });

  describe('a translation', () => {
    const translate = (report: AnalysisEnded, contentRevision: string, locale: string) =>
      app.get(ContentController).getTranslation({ ...report, contentRevision, locale });
    it('has the same facts in another language, and stores nothing', async () => {
      const message = freeze(report(), 2.7, '2.0');
      await publish(message);
      const [generated] = await answers(message.reportId, 1);
      const { contentRevision } = generated!;
      const stored = await app.get(ContentController).getContentRevision({ ...message, contentRevision });
      const own = Content.parse(JSON.parse(stored.contentJson.toString('utf8')));
      expect(stored.locales).toEqual(['ko-KR', 'en-US']);
      const english = Content.parse(JSON.parse((await translate(message, contentRevision, 'en-US')).contentJson.toString('utf8')));
      expect(english.content_profile.locale).toBe('en-US');
      expect(english.render_data).toEqual(own.render_data);
      expect(english.tires.map(({ severity }) => severity)).toEqual(own.tires.map(({ severity }) => severity));
      expect(english.overall!.headline).not.toMatch(/[가-힣]/);
      expect((await translate(message, contentRevision, 'ko-KR')).contentJson.equals(stored.contentJson)).toBe(true);
      expect(await outcomes(message.reportId)).toBe(1);
      // Each language costs one request for the snapshot; the list of languages costs none.
      const snapshots = () => ledger.requested.filter((revision) => revision === message.analysisRevision).length;
      const before = snapshots();
      await translate(message, contentRevision, 'en-US');
      await expect(translate(message, contentRevision, 'fr-FR')).rejects.toMatchObject({ code: 'not_found' });
      expect(snapshots()).toBe(before);
      await expect(translate(message, contentRevision, 'de-DE')).rejects.toMatchObject({ code: 'not_found' });
      await expect(translate({ ...message, projectId: newId() }, contentRevision, 'en-US')).rejects.toMatchObject({ code: 'not_found' });
    });

    it('is not found for versions with one language, and for a discarded report', async () => {
      const message = freeze(report());
      await publish(message);
      const [generated] = await answers(message.reportId, 1);
      await expect(translate(message, generated!.contentRevision, 'en-US')).rejects.toMatchObject({ code: 'not_found' });
      expect(
        (await app.get(ContentController).getContentRevision({ ...message, contentRevision: generated!.contentRevision })).locales,
      ).toEqual(['ko-KR']);
      expect(await translate(message, generated!.contentRevision, 'ko-KR')).toBeDefined();
      await app.get(ContentController).discardReport(message);
      await expect(translate(message, generated!.contentRevision, 'ko-KR')).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('an explanation', () => {
    it('names the rule, the inputs and the thresholds of each verdict, of the latest revision or of the one that is named', async () => {
      const older = freeze(report(), 2.7);
      await publish(older);
      const [first] = await answers(older.reportId, 1);
      const newer = freeze({ ...older, analysisRevision: newId() }, 6);
      await publish(newer);
      const [, second] = await answers(older.reportId, 2);
      const explain = (contentRevision: string, projectId = PROJECT) =>
        app.get(ContentController).explainContent({ projectId, reportId: older.reportId, contentRevision });

      const named = await explain(first!.contentRevision);
      expect(named).toMatchObject({ contentRevision: first!.contentRevision, analysisRevision: older.analysisRevision, reproduced: true });
      expect(named.verdicts).toContainEqual({
        subject: 'tire front_left',
        verdict: 'caution',
        rule: 'the lowest groove is at the inspection threshold or below it',
        inputs: { minimumDepthMm: '2.7' },
        thresholds: { legalLimitMm: 1.6, inspectionThresholdMm: 3 },
      });
      for (const project of [PROJECT, '']) {
        expect(await explain('', project)).toMatchObject({ contentRevision: second!.contentRevision, reproduced: true });
      }
      await expect(explain('', newId())).rejects.toMatchObject({ code: 'not_found' });
      await expect(explain(newId())).rejects.toMatchObject({ code: 'not_found' });
    });

    it('is printed by the command', async () => {
      const message = freeze(report(), 1.6);
      await publish(message);
      await answers(message.reportId, 1);
      const environment = { DATABASE_URL: database.url, LEDGER_GRPC_URL: ledger.address, PUBLIC_API_URL: 'https://api.example.com/api/v1' };
      const run = async (...args: string[]) => {
        const child = spawnTypeScript(join(__dirname, '../admin.ts'), args, environment, 'pipe');
        const [[code], text] = await Promise.all([once(child, 'exit'), child.stdout ? consumers.text(child.stdout) : '']);
        return { code: code as unknown, text };
      };
      const words = await run('explain', '--report', message.reportId);
      expect(words).toMatchObject({ code: 0, text: expect.stringContaining('tire front_left: critical') });
      expect(words.text).toContain('The rules reproduce the stored bytes.');
      const json = await run('explain', '--report', message.reportId, '--json');
      expect(JSON.parse(json.text)).toMatchObject({ analysisRevision: message.analysisRevision, reproduced: true });
      expect(await run('explain')).toMatchObject({ code: 2 });
      expect(await run('explain', '--report', newId())).toMatchObject({ code: 1 });
    });
  });

  it.each(['partial', 'failed'])('has an error code when the analysis is %s', async (analysisStatus) => {
    const message = { ...report(), analysisStatus };
    await publish(message);
    await publish(message);
    const generated = await answers(message.reportId, 2);
    for (const answer of generated)
      expect(answer).toMatchObject({ contentRevision: '', etag: '', errorCode: 'content_source_incomplete', analysisStatus });
    expect(await outcomes(message.reportId)).toBe(1);
    expect(ledger.requested).not.toContain(message.analysisRevision);
  });

  it.each([
    ['breaks its contract: each message publishes the failure', { completed_at: 'yesterday' }, 1],
    [
      'has a version that this release does not have: the message is retried',
      { content_profile: { key: 'x', version: '1.0', locale: 'en' } },
      0,
    ],
  ])('of a snapshot that %s', async (_what, change, stored) => {
    const message = freeze(report());
    const snapshot = ledger.snapshots.get(message.analysisRevision)!;
    ledger.snapshots.set(message.analysisRevision, { ...snapshot, ...change });
    const logged = jest.spyOn(app.get(ContentService)['log'], 'error');
    const deliveries = Array.from({ length: 2 }, () => app.get(ContentService).analysisEnded(message));
    expect((await Promise.allSettled(deliveries)).map(({ status }) => status === 'fulfilled')).toEqual([stored > 0, stored > 0]);
    const failed = { contentRevision: '', etag: '', errorCode: 'content_source_incomplete' };
    if (stored > 0) expect(await answers(message.reportId, 2)).toMatchObject([failed, failed]);
    expect(await outcomes(message.reportId)).toBe(stored);
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ report_id: message.reportId }), expect.any(String));
  });

  it('is not found for another project, another report, or a malformed id', async () => {
    const message = freeze(report());
    await publish(message);
    const [generated] = await answers(message.reportId, 1);
    const request = { projectId: PROJECT, reportId: message.reportId, contentRevision: generated!.contentRevision };
    for (const wrong of [{ projectId: newId() }, { reportId: newId() }, { contentRevision: newId() }, { contentRevision: 'x' }]) {
      const refused = app.get(ContentController).getContentRevision({ ...request, ...wrong });
      await expect(refused).rejects.toMatchObject({ code: 'not_found' });
      await expect(refused).rejects.toBeInstanceOf(DomainError);
    }
  });

  it('never changes: the database refuses it, for the owner too', async () => {
    const message = freeze(report());
    await publish(message);
    await answers(message.reportId, 1);
    await expect(owner.query(`UPDATE content_outcomes SET error_code = 'x' WHERE report_id = $1`, [message.reportId])).rejects.toThrow();
    await expect(owner.query(`DELETE FROM content_outcomes WHERE report_id = $1`, [message.reportId])).rejects.toThrow();
    await expect(owner.query(`TRUNCATE content_outcomes`)).rejects.toThrow();
    expect(await outcomes(message.reportId)).toBe(1);
  });

  describe('of a discarded report', () => {
    const discard = ({ projectId, reportId }: Pick<AnalysisEnded, 'projectId' | 'reportId'>) =>
      app.get(ContentController).discardReport({ projectId, reportId });
    const generate = async () => {
      const message = freeze(report());
      await publish(message);
      const [generated] = await answers(message.reportId, 1);
      return { message, contentRevision: generated!.contentRevision };
    };
    /** Waits for a marker that is published after everything that could have been published about the report. */
    const expectNothingPublished = async ({ reportId }: AnalysisEnded, before = 0) => {
      const marker = { ...report(), analysisStatus: 'failed' };
      await app.get(ContentService).analysisEnded(marker);
      await answers(marker.reportId, 1);
      expect(received.filter((message) => message.reportId === reportId)).toHaveLength(before);
    };

    it('is deleted, however often it is discarded, and not found any more', async () => {
      const { message, contentRevision } = await generate();
      await discard(message);
      await discard(message);
      expect(await outcomes(message.reportId)).toBe(0);
      const asked = app.get(ContentController).getContentRevision({ ...message, contentRevision });
      await expect(asked).rejects.toMatchObject({ code: 'not_found' });
    });

    it.each(['complete', 'partial'])('is not generated by a later message about a %s analysis', async (analysisStatus) => {
      const message = { ...freeze(report()), analysisStatus };
      await discard(message);
      await app.get(ContentService).analysisEnded(message);
      expect(await outcomes(message.reportId)).toBe(0);
      expect(ledger.requested).not.toContain(message.analysisRevision);
      await expectNothingPublished(message);
    });

    it('is not published again', async () => {
      const { message } = await generate();
      await discard(message);
      await app.get(ContentService).analysisEnded(message);
      await expectNothingPublished(message, 1);
    });

    it('is not stored by a generation that was running', async () => {
      const message = freeze(report());
      let release = (): void => undefined;
      ledger.blockedUntil.set(message.analysisRevision, new Promise((resolve) => (release = resolve)));
      const running = app.get(ContentService).analysisEnded(message);
      await eventually(async () => ledger.requested.includes(message.analysisRevision));
      await discard(message);
      release();
      await running;
      expect(await outcomes(message.reportId)).toBe(0);
      await expectNothingPublished(message);
    });

    it('is removed also when it is being written at that moment: the discard waits', async () => {
      const message = { ...report(), analysisStatus: 'failed' };
      const { projectId, reportId, analysisRevision } = message;
      const errorCode = 'content_source_incomplete';
      let discarding: Promise<unknown> = Promise.resolve();
      await app.get(Database).withProject(projectId, async (tx) => {
        expect(await lockUnlessDiscarded(tx, reportId)).toBe(true);
        const outcome = { projectId, reportId, analysisRevision, contentRevision: null, sha256: null, errorCode };
        await insertOutcome(tx, outcome, null);
        discarding = discard(message);
        await eventually(async () => {
          const { rows } = await owner.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database =
            (SELECT oid FROM pg_database WHERE datname = current_database())`);
          return rows.length > 0;
        });
      });
      await discarding;
      expect(await outcomes(reportId)).toBe(0);
    });

    it('belongs to its project: a discard of the same id in another project changes nothing', async () => {
      const { message, contentRevision } = await generate();
      await discard({ projectId: newId(), reportId: message.reportId });
      await expect(app.get(ContentController).getContentRevision({ ...message, contentRevision })).resolves.toBeDefined();
      await publish(message);
      await answers(message.reportId, 2);
    });

    it('needs its tombstone: other rows and updates are refused, and a temporary table of the same name does not count', async () => {
      const { message } = await generate();
      const other = await generate();
      await owner.query('CREATE TEMPORARY TABLE discarded_reports (project_id uuid, report_id uuid)');
      await owner.query('INSERT INTO pg_temp.discarded_reports VALUES ($1, $2)', [PROJECT, other.message.reportId]);
      await expect(owner.query('DELETE FROM content_outcomes WHERE report_id = $1', [other.message.reportId])).rejects.toThrow();
      await owner.query('DROP TABLE pg_temp.discarded_reports');
      await discard(message);
      await expect(owner.query('DELETE FROM content_outcomes')).rejects.toThrow('only with their report');
      await expect(owner.query(`UPDATE content_outcomes SET report_id = $1`, [message.reportId])).rejects.toThrow('never change');
      await expect(owner.query('DELETE FROM discarded_reports')).rejects.toThrow('never change');
      expect(await outcomes(other.message.reportId)).toBe(1);
    });
  });
});

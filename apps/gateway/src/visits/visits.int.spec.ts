import { CreateReportResponse } from '@tire/contracts/api';
import { AuditLog, Project, VisitAnswer, VisitDetails, VisitList } from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { becomes, freePort, testClock, type TestClock } from '@tire/test-harness';
import { Client as Postgres } from 'pg';
import { startBehind } from '../testing/behind';
import { Browser, invited, newOrganization } from '../testing/browser';
import { startGateway } from '../testing/gateway';
import { VisitRemoval } from './visit-removal';

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;
const TIRES = POSITIONS.map((position) => ({ position, groove_depths_mm: [5, 4.8, 5.2], size: null }));
const CUSTOMER = { name: '김민수', phone: '010-1234-5678', email: 'minsu.kim@shop.example', note: '오후에 전화' };
const CONSENT = { version: '2026-11', language: 'ko' };
const HOUR_MS = 3_600_000;

/** Ledger, content and share as they run in production. */
describe('the customer of a report', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let clock: TestClock;
  let owner: Browser;
  let support: Browser;
  let developer: Browser;
  let stranger: Browser;
  let organizationId: string;
  let ownerEmail: string;
  let projectId: string;
  let supportId: string;

  beforeAll(async () => {
    const port = await freePort();
    clock = testClock(new Date());
    behind = await startBehind(`http://127.0.0.1:${port}/api/v1`);
    gateway = await startGateway({ port, addresses: behind.addresses, clock });
    [owner, support, developer, stranger] = [1, 2, 3, 4].map((last) => new Browser(gateway.origin, `192.0.2.${last}`)) as [
      Browser,
      Browser,
      Browser,
      Browser,
    ];
    const made = await newOrganization(gateway.databaseUrl);
    organizationId = made.organizationId;
    ownerEmail = made.email;
    await owner.signIn(ownerEmail);
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
    supportId = (await invited(owner, support, organizationId, 'support', `${newId()}@shop.example`)).user.user_id;
    await invited(owner, developer, organizationId, 'developer', `${newId()}@shop.example`);
    const created = await owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'Live', mode: 'live' } });
    projectId = Project.parse(created.json).project_id;
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    await behind?.stop();
  });

  const newReport = async (): Promise<string> => {
    const { json } = await owner.call('POST', `/projects/${projectId}/manual-reports`, { body: { tires: TIRES } });
    return CreateReportResponse.parse(json).report_id;
  };
  const at = (reportId: string, path = '') => `/projects/${projectId}/reports/${reportId}/visit${path}`;
  /** Each entry of the audit log has a time of its own. */
  const record = (reportId: string, body: object = CUSTOMER, by = support) => {
    clock.advanceMs(1);
    return by.call('PATCH', at(reportId), { body });
  };
  const shown = async (reportId: string, by = support) => VisitAnswer.parse((await by.call('GET', at(reportId))).json).visit;
  const actions = async () => {
    const { json } = await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=100`);
    return AuditLog.parse(json).entries.filter(({ action }) => action.startsWith('visit.'));
  };
  const rows = (sql: string, values: unknown[] = []) => gateway.part(Database).systemQuery<Record<string, unknown>>(sql, values);

  it('is masked for everybody, and shown in full on request, which the audit log records', async () => {
    const reportId = await newReport();
    expect(await shown(reportId)).toBeNull();
    expect((await record(reportId)).status).toBe(200);
    const masked = { name: '김*수', phone: '010-****-5678', email: 'm***@shop.example', has_note: true, consent: null, advisor: null };
    for (const by of [support, developer, owner]) expect(await shown(reportId, by)).toMatchObject(masked);
    clock.advanceMs(1);
    expect(VisitDetails.parse((await support.call('POST', at(reportId, '/show'))).json)).toEqual(CUSTOMER);
    const [last, before] = await actions();
    expect(last).toMatchObject({ action: 'visit.shown', subject: reportId, actor: { user_id: supportId }, details: {} });
    expect(before).toMatchObject({ action: 'visit.changed', details: { fields: 'name phone email note' } });
    // Ids may hold the digits alone.
    expect(JSON.stringify(await actions())).not.toMatch(/민수|1234-?5678|minsu/);
  });

  it('is for the roles of the counter: a developer sees it masked and changes nothing', async () => {
    const reportId = await newReport();
    await record(reportId);
    const calls = [
      () => record(reportId, CUSTOMER, developer),
      () => developer.call('POST', at(reportId, '/show')),
      () => developer.call('DELETE', at(reportId)),
      () => developer.call('POST', `/projects/${projectId}/visits/search`, { body: { phone: CUSTOMER.phone } }),
    ];
    for (const call of calls) expect((await call()).status).toBe(403);
    const { json } = await developer.call('GET', at(reportId));
    expect(VisitAnswer.parse(json).advisors).toEqual([]);
    for (const [method, path] of [['GET'], ['PATCH'], ['DELETE'], ['POST', '/show']] as const)
      expect((await stranger.call(method, at(reportId, path ?? ''), { body: method === 'GET' ? undefined : {} })).status).toBe(404);
  });

  it('changes in the fields that are given, and null removes one', async () => {
    const reportId = await newReport();
    await record(reportId);
    await record(reportId, { phone: '+82 10-9999-0000', note: null, advisor_id: supportId });
    const { json } = await support.call('POST', at(reportId, '/show'));
    expect(json).toEqual({ ...CUSTOMER, phone: '+82 10-9999-0000', note: null });
    expect(await shown(reportId)).toMatchObject({ has_note: false, advisor: { user_id: supportId } });
    await record(reportId, { email: '', advisor_id: null });
    expect(await shown(reportId)).toMatchObject({ email: null, advisor: null, phone: '010-****-0000' });
  });

  it('of two people who record at once, nobody undoes the work of the other', async () => {
    const reportId = await newReport();
    await Promise.all([record(reportId, { name: CUSTOMER.name }), record(reportId, { phone: CUSTOMER.phone }, owner)]);
    const { json } = await support.call('POST', at(reportId, '/show'));
    expect(json).toMatchObject({ name: CUSTOMER.name, phone: CUSTOMER.phone });
  });

  it.each([
    ['phone', { phone: 'call me' }],
    ['phone', { phone: '0'.repeat(25) }],
    ['email', { email: 'nobody' }],
    ['email', { email: 'a@b.example\r\nBcc: c@d.example' }],
    ['name', { name: 'x'.repeat(61) }],
    ['note', { note: 'x'.repeat(501) }],
    ['advisor_id', { advisor_id: newId() }],
    ['consent.version', { consent: { version: '1999', language: 'ko' } }],
  ])('is refused with a wrong %s', async (param, body) => {
    const reportId = await newReport();
    expect((await record(reportId, body)).error).toMatchObject({ code: 'validation_error', param });
    expect(await shown(reportId)).toBeNull();
  });

  it('of no report is 404', async () => {
    const missing = newId();
    for (const answer of [await support.call('GET', at(missing)), await record(missing), await support.call('POST', at(missing, '/show'))])
      expect(answer.status).toBe(404);
    expect((await support.call('DELETE', at(missing))).status).toBe(404);
  });

  it('has a consent with its text, time and recorder, which can be withdrawn', async () => {
    const reportId = await newReport();
    await record(reportId, { ...CUSTOMER, consent: CONSENT });
    expect((await shown(reportId))?.consent).toMatchObject({ ...CONSENT, at: clock.now().toISOString(), recorded_by: 'A support' });
    await record(reportId, { consent: null });
    expect((await shown(reportId))?.consent).toBeNull();
    expect((await actions()).slice(0, 2).map(({ action }) => action)).toEqual(['visit.consent_withdrawn', 'visit.consent_recorded']);
  });

  it('is found by the phone number, however it is written, in its project only', async () => {
    const reportId = await newReport();
    const phone = '010-7777-1234';
    await record(reportId, { ...CUSTOMER, phone });
    const search = async (written: string, project = projectId) => {
      const { json } = await support.call('POST', `/projects/${project}/visits/search`, { body: { phone: written } });
      return VisitList.parse(json).visits.map(({ report_id }) => report_id);
    };
    for (const written of [phone, '+821077771234', '0082 (0)10 7777 1234']) expect(await search(written)).toEqual([reportId]);
    expect(await search('010-7777-1235')).toEqual([]);
    const created = await owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'Other', mode: 'live' } });
    expect(await search(phone, Project.parse(created.json).project_id)).toEqual([]);
    expect((await support.call('POST', `/projects/${projectId}/visits/search`, { body: { phone: 'x' } })).error?.param).toBe('phone');
    await record(reportId, { phone: null });
    expect(await search(phone)).toEqual([]);
  });

  it('goes on demand, and with the report, also if its discard is incomplete', async () => {
    const [one, other] = [await newReport(), await newReport()];
    for (const reportId of [one, other]) await record(reportId);
    clock.advanceMs(1);
    expect((await support.call('DELETE', at(one))).status).toBe(204);
    expect((await actions())[0]).toMatchObject({ action: 'visit.removed', subject: one });
    expect(await shown(one)).toBeNull();
    // No service of images runs here. The report is gone for everybody, and its discard has to be repeated.
    expect((await owner.call('DELETE', `/projects/${projectId}/reports/${other}`)).error?.code).toBe('discard_incomplete');
    expect(await rows('SELECT 1 FROM visits WHERE report_id = ANY($1::uuid[])', [[one, other]])).toEqual([]);
    expect((await record(other)).error?.code).toBe('report_discarded');
  });

  it('leaves no receiver of messages when the number or address changes; others keep theirs', async () => {
    const [reportId, other] = [await newReport(), await newReport()];
    for (const each of [reportId, other]) {
      await record(each);
      await rows(
        `INSERT INTO messages (message_id, owner, project_id, report_id, kind, channel, state, receiver, next_at, expires_at, created_at, ended_at)
         SELECT gen_random_uuid(), $1, $1, $2, 'report', channel, 'sent', 'sealed', now(), now(), now(), now()
           FROM unnest('{email,sms}'::text[]) AS channel RETURNING message_id`,
        [projectId, each],
      );
    }
    await record(reportId, { phone: '010 1234 5678', note: null });
    const received = (of: string) =>
      rows('SELECT channel FROM messages WHERE report_id = $1 AND receiver IS NOT NULL ORDER BY channel', [of]);
    expect(await received(reportId)).toEqual([{ channel: 'email' }, { channel: 'sms' }]);
    await record(reportId, { phone: '010-9999-0000' });
    expect(await received(reportId)).toEqual([{ channel: 'email' }]);
    await record(reportId, { email: null });
    expect(await received(reportId)).toEqual([]);
    expect(await received(other)).toHaveLength(2);
  });

  it('is in no table in plain text, and another row does not open it', async () => {
    const [reportId, other] = [await newReport(), await newReport()];
    for (const each of [reportId, other]) await record(each);
    const database = new Postgres(gateway.ownerUrl);
    await database.connect();
    let visits = 0;
    try {
      await database.query(`SET app.scope = 'system'`);
      const tables = await database.query<{ name: string }>(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
      for (const { name } of tables.rows) {
        const { rows: all } = await database.query<{ text: string }>(`SELECT row_to_json(t)::text AS text FROM "${name}" t`);
        const hex = Object.values(CUSTOMER).map((value) => Buffer.from(value).toString('hex'));
        if (name === 'visits') visits = all.length;
        for (const { text } of all)
          for (const value of [...Object.values(CUSTOMER), '821012345678', ...hex]) expect(text).not.toContain(value);
      }
      await database.query('UPDATE visits SET details = (SELECT details FROM visits WHERE report_id = $1) WHERE report_id = $2', [
        reportId,
        other,
      ]);
    } finally {
      await database.end();
    }
    expect(visits).toBeGreaterThan(1);
    expect((await owner.call('GET', at(other))).status).toBe(500);
  });

  it('goes with a report that was discarded while the process died, or while it was recorded', async () => {
    const reportId = await newReport();
    await record(reportId);
    await owner.call('DELETE', `/projects/${projectId}/reports/${reportId}`);
    const kept = await newReport();
    await record(kept);
    // The row of a process that died between the ledger and its own database.
    await rows(
      `INSERT INTO visits (project_id, report_id, details, updated_at, check_at) SELECT project_id, $2, details, updated_at, check_at
         FROM visits WHERE report_id = $1 RETURNING report_id`,
      [kept, reportId],
    );
    clock.advanceMs(HOUR_MS);
    await gateway.part(VisitRemoval).checkDue();
    await becomes(() => rows('SELECT report_id FROM visits WHERE report_id = ANY($1::uuid[])', [[kept, reportId]]), [{ report_id: kept }]);
    // A report of a live project ends by itself too, after years.
    const nextCheck = new Date(clock.now().getTime() + 7 * 24 * HOUR_MS);
    expect(await rows('SELECT check_at FROM visits WHERE report_id = $1', [kept])).toEqual([{ check_at: nextCheck }]);
  });

  it('is checked within a week where an earlier release left it without a next check', async () => {
    await owner.signIn(ownerEmail);
    const [reportId, kept] = [await newReport(), await newReport()];
    for (const each of [reportId, kept]) await record(each, CUSTOMER, owner);
    await owner.call('DELETE', `/projects/${projectId}/reports/${reportId}`);
    await rows(
      `INSERT INTO visits (project_id, report_id, details, updated_at) SELECT project_id, $2, details, updated_at FROM visits WHERE report_id = $1
       RETURNING report_id`,
      [kept, reportId],
    );
    await rows('UPDATE visits SET check_at = NULL WHERE report_id = $1 RETURNING report_id', [kept]);
    await gateway.part(VisitRemoval).checkDue();
    expect(await rows('SELECT FROM visits WHERE check_at IS NULL')).toEqual([]);
    clock.advanceMs(7 * 24 * HOUR_MS);
    await gateway.part(VisitRemoval).checkDue();
    await becomes(() => rows('SELECT report_id FROM visits WHERE report_id = ANY($1::uuid[])', [[kept, reportId]]), [{ report_id: kept }]);
  });
});

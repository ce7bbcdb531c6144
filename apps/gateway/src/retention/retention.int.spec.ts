import { CreateReportResponse } from '@tire/contracts/api';
import { AuditLog, HoldList, Project, Retention as ShownRetention } from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import { Database, LEDGER } from '@tire/platform';
import { freePort, testClock, type TestClock } from '@tire/test-harness';
import { Client } from 'pg';
import { startBehind } from '../testing/behind';
import { Browser, invited, newOrganization, PASSWORD } from '../testing/browser';
import { startGateway } from '../testing/gateway';
import { VisitRemoval } from '../visits/visit-removal';
import { Retention } from './retention';

const DAY_MS = 86_400_000;
const CONSENT = { version: '2026-11', language: 'ko' };
const TIRES = (['front_left', 'front_right', 'rear_left', 'rear_right'] as const).map((position) => ({
  position,
  groove_depths_mm: [5, 4.8, 5.2],
  size: null,
}));

/** Ledger, content and share as they run in production. */
describe('retention', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let clock: TestClock;
  let owner: Browser;
  let administrator: Browser;
  let developer: Browser;
  let stranger: Browser;
  let organizationId: string;
  let email: string;
  let projectId: string;
  let client: Client;

  beforeAll(async () => {
    const port = await freePort();
    clock = testClock(new Date());
    behind = await startBehind(`http://127.0.0.1:${port}/api/v1`);
    gateway = await startGateway({ port, addresses: behind.addresses, clock });
    [owner, administrator, developer, stranger] = [1, 2, 3, 4].map((last) => new Browser(gateway.origin, `192.0.2.${last}`)) as [
      Browser,
      Browser,
      Browser,
      Browser,
    ];
    const made = await newOrganization(gateway.databaseUrl);
    ({ organizationId, email } = made);
    await owner.signIn(email);
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
    await invited(owner, administrator, organizationId, 'administrator', `${newId()}@shop.example`);
    await invited(owner, developer, organizationId, 'developer', `${newId()}@shop.example`);
    projectId = await newProject('Live', 'live');
    client = new Client({ connectionString: gateway.ownerUrl });
    await client.connect();
    await client.query(`SELECT set_config('app.scope', 'system', false)`);
  }, 120_000);
  afterAll(async () => {
    await client?.end();
    await gateway?.stop();
    await behind?.stop();
  });

  const newProject = async (name: string, mode: string) => {
    const { json } = await owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name, mode } });
    return Project.parse(json).project_id;
  };
  const read = async (id = projectId) => {
    const { rules } = ShownRetention.parse((await owner.call('GET', `/projects/${id}/retention`)).json);
    return Object.fromEntries(rules.map(({ kind, days, default_days }) => [kind, [days, default_days]]));
  };
  const change = (body: object, by = owner, id = projectId) =>
    by.call('PATCH', `/projects/${id}/retention`, { body: { password: PASSWORD, ...body } });

  it('shows the periods of every service, and an owner chooses them, in the audit log', async () => {
    expect(await read()).toEqual({
      reports: [null, 1_095],
      photographs: [null, 0],
      callbacks: [null, 90],
      request_log: [null, 30],
      messages: [null, 180],
      usage: [null, 1_825],
      audit_log: [null, 730],
    });
    const chosen = { reports: 0, photographs: 365, callbacks: 30, request_log: 7, messages: 60, usage: 400, audit_log: 365 };
    for (const [kind, days] of Object.entries(chosen)) expect((await change({ kind, days })).status).toBe(200);
    expect(Object.entries(await read()).map(([kind, [days]]) => [kind, days])).toEqual(Object.entries(chosen));
    expect((await change({ kind: 'reports', days: 0 })).status).toBe(200);
    await change({ kind: 'reports', days: null });
    expect((await read())['reports']).toEqual([null, 1_095]);
    const log = await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=100&project_id=${projectId}`);
    const changes = AuditLog.parse(log.json).entries.filter(({ action }) => action === 'retention.changed');
    expect(changes).toHaveLength(8);
    expect(changes[0]!.details).toEqual({ kind: 'reports', from: '0', to: 'default' });
    for (const kind of Object.keys(chosen)) await change({ kind, days: null });
    expect((await read(await newProject('Test', 'test')))['reports']).toEqual([null, 30]);
  });

  it('a shorter period needs the password again, and a longer one does not', async () => {
    const id = await newProject('Shorter', 'live');
    for (const password of ['wrong password', undefined])
      expect((await change({ kind: 'reports', days: 60, password }, owner, id)).error).toMatchObject({ param: 'password' });
    expect((await read(id))['reports']).toEqual([null, 1_095]);
    expect((await change({ kind: 'reports', days: 0, password: undefined }, owner, id)).status).toBe(200);
    expect((await change({ kind: 'reports', days: null, password: undefined }, owner, id)).error).toMatchObject({ param: 'password' });
    expect((await change({ kind: 'reports', days: null }, owner, id)).status).toBe(200);
  });

  it.each([
    ['reports', 29],
    ['request_log', 31],
    ['audit_log', 0],
    ['usage', 1.5],
    ['sessions', 30],
  ])('refuses %s for %s days', async (kind, days) => {
    expect((await change({ kind, days })).status).toBe(422);
  });

  it('is the choice of owners, and unknown to other organizations', async () => {
    expect((await change({ kind: 'reports', days: 60 }, administrator)).status).toBe(403);
    expect((await change({ kind: 'reports', days: 60 }, stranger)).status).toBe(404);
    expect((await developer.call('GET', `/projects/${projectId}/retention`)).status).toBe(200);
    expect((await stranger.call('GET', `/projects/${projectId}/retention`)).status).toBe(404);
  });

  it('a legal hold is placed and released by administrators, and outlives a discard', async () => {
    const { json } = await owner.call('POST', `/projects/${projectId}/manual-reports`, {
      body: { tires: TIRES, plate_number: '12가 3456' },
    });
    const { report_id: reportId } = CreateReportResponse.parse(json);
    const path = `/projects/${projectId}/reports/${reportId}`;
    await owner.call('PATCH', `${path}/visit`, { body: { name: '김하늘', phone: '010-1234-5678', consent: CONSENT } });
    const hold = (by: Browser, reason = 'Case 7') => by.call('POST', `${path}/legal-hold`, { body: { reason } });
    expect([(await hold(developer)).status, (await hold(stranger)).status, (await hold(administrator, '')).status]).toEqual([
      403, 404, 422,
    ]);
    expect((await hold(administrator)).status).toBe(204);
    const holds = async () => HoldList.parse((await administrator.call('GET', `/projects/${projectId}/legal-holds`)).json).holds;
    expect(await holds()).toMatchObject([
      { report_id: reportId, reason: 'Case 7', plate_number: '12가 3456', is_discarded: false, held_by: { kind: 'user' } },
    ]);
    const holdOf = async (id: string) =>
      HoldList.parse((await administrator.call('GET', `/projects/${projectId}/legal-holds?report_id=${id}`)).json).holds;
    expect([await holdOf(reportId), await holdOf(newId())]).toEqual([await holds(), []]);
    expect((await owner.call('DELETE', `${path}/visit`)).error).toMatchObject({ code: 'conflict', param: 'legal_hold' });
    expect((await owner.call('DELETE', path)).status).toBe(200);
    expect((await owner.call('GET', path)).status).toBe(404);
    expect(await holds()).toMatchObject([{ report_id: reportId, is_discarded: true }]);
    const visits = async () => (await client.query('SELECT FROM visits WHERE report_id = $1', [reportId])).rowCount;
    expect(await visits()).toBe(1);
    expect((await administrator.call('DELETE', `${path}/legal-hold`)).error).toMatchObject({ param: 'password' });
    expect(await visits()).toBe(1);
    const release = { body: { password: PASSWORD } };
    expect((await administrator.call('DELETE', `${path}/legal-hold`, release)).status).toBe(204);
    expect((await administrator.call('DELETE', `${path}/legal-hold`)).status).toBe(204);
    expect(await holds()).toEqual([]);
    const log = await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=100&project_id=${projectId}`);
    const actions = AuditLog.parse(log.json)
      .entries.filter(({ subject }) => subject === reportId)
      .map(({ action }) => action);
    expect(log.text).not.toContain('Case 7');
    expect(actions.filter((action) => !action.startsWith('visit.'))).toEqual([
      'report.released',
      'report.discarded',
      'report.held',
      'report.created',
    ]);
    clock.advanceMs(DAY_MS + 1);
    await gateway.app.get(VisitRemoval, { strict: false }).checkDue();
    expect(await visits()).toBe(0);
    await owner.signIn(email);
  });

  describe('of what the gateway stores', () => {
    const at = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
    const audited = async (project: string | null, days: number) => {
      const id = newId(at(days).getTime());
      await client.query(
        `INSERT INTO audit_log (entry_id, organization_id, at, action, project_id, details, address) VALUES ($1, $2, $3, 'key.issued', $4, '{}', '')`,
        [id, organizationId, at(days), project],
      );
      return id;
    };
    const message = async (project: string, days: number, reportId = newId()) => {
      const id = newId(at(days).getTime());
      await client.query(
        `INSERT INTO messages (message_id, owner, project_id, report_id, kind, channel, state, next_at, expires_at, created_at, ended_at)
         VALUES ($1, $2, $2, $3, 'report', 'email', 'sent', $4, $4, $4, $4)`,
        [id, project, reportId, at(days)],
      );
      return id;
    };
    const request = async (project: string, days: number) => {
      const id = newId(at(days).getTime());
      await client.query(
        `INSERT INTO request_log (slot, entry_id, project_id, key_id, at, method, path, status, duration_ms, request_id)
         VALUES (0, $1, $2, $2, $3, 'GET', '/reports', 200, 1, 'r')`,
        [id, project, at(days)],
      );
      return id;
    };
    const left = async (table: string, column: string, ids: readonly string[]) => {
      const { rows } = await client.query<{ id: string }>(`SELECT ${column} AS id FROM ${table} WHERE ${column} = ANY($1)`, [ids]);
      return ids.map((id) => rows.some((row) => row.id === id));
    };

    it('removes what is older than its project keeps it, and nothing else', async () => {
      const other = await newProject('Another', 'live');
      for (const [kind, days] of [
        ['request_log', 3],
        ['messages', 10],
        ['audit_log', 400],
      ] as const)
        await change({ kind, days });
      const entries = [await audited(projectId, 401), await audited(projectId, 399), await audited(other, 401), await audited(other, 731)];
      const ofNone = [await audited(null, 729), await audited(null, 731)];
      const messages = [await message(projectId, 11), await message(projectId, 9), await message(other, 11), await message(other, 181)];
      const requests = [await request(projectId, 4), await request(projectId, 2), await request(other, 4)];
      const retention = gateway.app.get(Retention, { strict: false });
      const lag = await retention.lag();
      for (const kind of ['audit_log', 'messages', 'request_log'] as const) expect(lag.get(kind)).toBeGreaterThan(0);
      await Promise.all([retention.sweep(), retention.sweep()]);
      await retention.sweep();
      expect(await left('audit_log', 'entry_id', entries)).toEqual([false, true, true, false]);
      expect(await left('audit_log', 'entry_id', ofNone)).toEqual([true, false]);
      expect(await left('messages', 'message_id', messages)).toEqual([false, true, true, false]);
      expect(await left('request_log', 'entry_id', requests)).toEqual([false, true, true]);
    });

    it('removes lines of the request log after the time of the installation, of every project', async () => {
      const [one, another] = [await newProject('One', 'live'), await newProject('Two', 'live')];
      await change({ kind: 'request_log', days: 7 }, owner, another);
      const requests = [await request(one, 3), await request(one, 1), await request(another, 3)];
      const defaults = { request_log: 2, messages: 180, audit_log: 730 };
      const retention = new Retention(
        gateway.app.get(Database, { strict: false }),
        gateway.app.get(LEDGER, { strict: false }),
        { intervalMs: DAY_MS, defaults },
        clock,
      );
      await retention.sweep();
      expect(await left('request_log', 'entry_id', requests)).toEqual([false, true, true]);
    });

    it('the database lets no entry of the audit log go within a year, and none change', async () => {
      const [young, old] = [await audited(projectId, 10), await audited(projectId, 390)];
      const database = gateway.app.get(Database, { strict: false });
      const execute = (sql: string, id: string) => database.asSystem((tx) => tx.execute(sql, [id]));
      await expect(execute('DELETE FROM audit_log WHERE entry_id = $1', young)).rejects.toThrow('stay for a year');
      await expect(client.query('UPDATE audit_log SET address = $2 WHERE entry_id = $1', [old, 'x'])).rejects.toThrow('never change');
      expect(await execute('DELETE FROM audit_log WHERE entry_id = $1', old)).toBe(1);
    });
  });
});

/* oxlint-disable max-lines -- one suite, so that its services start once */
import { CreateReportResponse } from '@tire/contracts/api';
import { AuditLog, CheckedCertificate, Erasure, ErasureList, Project } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { DomainError, newId } from '@tire/kernel';
import { Database, LEDGER, type PromiseClient } from '@tire/platform';
import { becomes, eventually, freePort } from '@tire/test-harness';
import AdmZip from 'adm-zip';
import { startBehind } from '../testing/behind';
import { Browser, invited, newOrganization, PASSWORD } from '../testing/browser';
import { startGateway } from '../testing/gateway';
import { signed } from '../domain/certificate';
import { PhoneDigests } from '../visits/phone-digests';
import { heldOf, replayed } from './command';
import { CERTIFICATE_KEY, ErasureRunner } from './erasure.runner';
import { certificatesSince } from './erasures.store';

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;
const TIRES = POSITIONS.map((position) => ({ position, groove_depths_mm: [5, 4.8, 5.2], size: null }));
const REASON = 'Request of 27 November';

/** Ledger, content and share as they run in production. */
describe('the erasure of what is kept about a person or a vehicle', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let owner: Browser;
  let other: Browser;
  let developer: Browser;
  let stranger: Browser;
  let organizationId: string;
  let projectId: string;

  beforeAll(async () => {
    const port = await freePort();
    behind = await startBehind(`http://127.0.0.1:${port}/api/v1`, { withAssets: true });
    gateway = await startGateway({ port, addresses: behind.addresses });
    [owner, other, developer, stranger] = [1, 2, 3, 4].map((last) => new Browser(gateway.origin, `192.0.2.${last}`)) as [
      Browser,
      Browser,
      Browser,
      Browser,
    ];
    const made = await newOrganization(gateway.databaseUrl);
    organizationId = made.organizationId;
    await owner.signIn(made.email);
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
    await invited(owner, other, organizationId, 'administrator', `${newId()}@shop.example`);
    await invited(owner, developer, organizationId, 'developer', `${newId()}@shop.example`);
    const created = await owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'Live', mode: 'live' } });
    projectId = Project.parse(created.json).project_id;
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    await behind?.stop();
  });

  const at = (path: string) => `/projects/${projectId}/${path}`;
  const plate = () => `${Math.floor(10 + Math.random() * 89)}가${Math.floor(1000 + Math.random() * 8999)}`;
  const newReport = async (body: object = {}): Promise<string> =>
    CreateReportResponse.parse((await owner.call('POST', at('manual-reports'), { body: { tires: TIRES, ...body } })).json).report_id;
  const record = (reportId: string, body: object) => owner.call('PATCH', at(`reports/${reportId}/visit`), { body });
  const rows = (sql: string, values: unknown[] = []) => gateway.part(Database).systemQuery<Record<string, unknown>>(sql, values);
  const shown = async (erasureId: string, by = owner) => Erasure.parse((await by.call('GET', at(`erasures/${erasureId}`))).json);
  const ledger = () => gateway.app.get<PromiseClient<ledgerApi.LedgerServiceClient>>(LEDGER, { strict: false });
  const isGone = async (reportId: string) => (await owner.call('GET', at(`reports/${reportId}`))).status === 404;

  /** Waits until the runner has brought it there. */
  const until = async (erasureId: string, state: Erasure['state']): Promise<Erasure> => {
    await eventually(async () => (await shown(erasureId)).state === state);
    return shown(erasureId);
  };
  const requested = async (kind: string, value: string, by = owner): Promise<Erasure> => {
    const answer = await by.call('POST', at('erasures'), { body: { kind, value } });
    expect(answer.status).toBe(202);
    return Erasure.parse(answer.json);
  };
  const confirm = (erasureId: string, body: object = { reason: REASON, password: PASSWORD }, by = owner) =>
    by.call('POST', at(`erasures/${erasureId}/confirm`), { body });
  const erased = async (kind: string, value: string): Promise<Erasure> => {
    const { erasure_id: id } = await requested(kind, value);
    await until(id, 'counted');
    expect((await confirm(id)).status).toBe(202);
    return until(id, 'done');
  };
  const cancel = (erasureId: string) => owner.call('POST', at(`erasures/${erasureId}/cancel`));

  it('counts first and removes nothing; then removes the reports, the customers and their messages, and keeps no value', async () => {
    const plateNumber = plate();
    const [one, two, unrelated] = [
      await newReport({ plate_number: plateNumber }),
      await newReport({ plate_number: plateNumber }),
      await newReport(),
    ];
    await record(one, { name: '김민수', phone: '010-1234-5678', email: 'minsu.kim@shop.example' });
    const { erasure_id: id, subject } = await requested('plate', ` ${plateNumber} `);
    expect(subject).toBe(` ${plateNumber} `);
    const { preview } = await until(id, 'counted');
    expect(preview).toMatchObject({ reports: 2, held: 0 });
    expect(preview!.counts).toEqual(
      expect.arrayContaining([
        { store: 'ledger', what: 'reports', count: 2 },
        { store: 'gateway', what: 'visits', count: 1 },
      ]),
    );
    expect([await isGone(one), await isGone(two)]).toEqual([false, false]);

    expect((await confirm(id)).status).toBe(202);
    const { certificate, ...done } = await until(id, 'done');
    expect(done).toMatchObject({ subject: null, progress: { erased: 2, held: 0, left: 0 }, reason: REASON });
    expect(certificate).toMatchObject({ report_ids: [one, two].toSorted(), held_report_ids: [], remaining: [], reason: REASON });
    expect(certificate!.removed).toEqual(expect.arrayContaining([{ store: 'gateway', what: 'visits', count: 1 }]));
    expect(await Promise.all([one, two, unrelated].map(isGone))).toEqual([true, true, false]);
    expect(await rows('SELECT FROM visits WHERE report_id = ANY($1)', [[one, two]])).toEqual([]);
    expect(JSON.stringify(await rows('SELECT row_to_json(erasures)::text AS text FROM erasures'))).not.toContain(plateNumber);
    const log = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log?limit=100`)).json).entries;
    expect(log.filter((entry) => entry.subject === id).map(({ action }) => action)).toEqual([
      'erasure.done',
      'erasure.confirmed',
      'erasure.requested',
    ]);
    expect(JSON.stringify(log)).not.toContain(plateNumber);
  });

  it('finds a customer by phone, e-mail and name, however they are written', async () => {
    const mark = newId();
    const values = { name: `Kim ${mark}`, phone: '010-2222-3333', email: `${mark}@shop.example` };
    for (const [kind, value] of [
      ['phone', '+82 10 2222 3333'],
      ['email', `${mark.toUpperCase()}@Shop.example`],
      ['name', ` kim   ${mark}`],
    ] as const) {
      const reportId = await newReport();
      await record(reportId, values);
      expect((await erased(kind, value)).certificate!.report_ids).toEqual([reportId]);
      expect(await isGone(reportId)).toBe(true);
    }
    expect((await owner.call('POST', at('erasures'), { body: { kind: 'phone', value: 'call me' } })).error).toMatchObject({
      param: 'value',
    });
  });

  it('also removes a report that came between the count and the confirmation, and one that was discarded', async () => {
    const plateNumber = plate();
    const first = await newReport({ plate_number: plateNumber });
    const { erasure_id: id } = await requested('plate', plateNumber);
    await until(id, 'counted');
    const later = await newReport({ plate_number: plateNumber });
    await confirm(id);
    expect((await until(id, 'done')).certificate!.report_ids).toEqual([first, later].toSorted());
    const discarded = await newReport();
    await owner.call('DELETE', at(`reports/${discarded}`));
    expect((await erased('report', discarded)).certificate!.removed).toContainEqual({ store: 'ledger', what: 'reports', count: 1 });
  });

  it('goes on where a process died, and loses no number', async () => {
    const plateNumber = plate();
    const [one, two] = [await newReport({ plate_number: plateNumber }), await newReport({ plate_number: plateNumber })];
    const { erasure_id: id } = await requested('plate', plateNumber);
    await until(id, 'counted');
    // As it is left by a process that died after it had counted one report and removed it from the ledger.
    const counts = JSON.stringify([{ store: 'ledger', what: 'reports', count: 1 }]);
    await rows(`UPDATE erasure_reports SET state = 'removing', counts = $2 WHERE report_id = $1 RETURNING 1`, [one, counts]);
    await owner.call('DELETE', at(`reports/${one}`));
    await confirm(id);
    const { certificate } = await until(id, 'done');
    expect(certificate!.report_ids).toEqual([one, two].toSorted());
    expect(certificate!.removed).toContainEqual({ store: 'ledger', what: 'reports', count: 2 });
    await gateway.part(ErasureRunner).look();
    expect((await shown(id)).certificate).toEqual(certificate);
  });

  it('waits for a ledger that does not answer, and has not ended before', async () => {
    const reportId = await newReport();
    const { erasure_id: id } = await requested('report', reportId);
    await until(id, 'counted');
    const eraseReport = jest.spyOn(ledger(), 'eraseReport').mockRejectedValueOnce(new DomainError('service_unavailable'));
    await confirm(id);
    await eventually(() => eraseReport.mock.calls.length > 0);
    await eventually(async () => {
      await rows(`UPDATE erasures SET next_at = now() WHERE erasure_id = $1 AND state = 'erasing' RETURNING 1`, [id]);
      gateway.part(ErasureRunner).nudge();
      return (await shown(id)).state === 'done';
    });
    // A busy ledger may answer too late once more.
    expect([await isGone(reportId), eraseReport.mock.calls.length > 1]).toEqual([true, true]);
    eraseReport.mockRestore();
  });

  it('counts what a legal hold keeps as remaining, and removes a customer that was written late', async () => {
    const plateNumber = plate();
    const [late, held] = [await newReport({ plate_number: plateNumber }), await newReport({ plate_number: plateNumber })];
    await record(held, { name: '김민수' });
    await owner.call('POST', at(`reports/${held}/legal-hold`), { body: { reason: 'Case 7' } });
    await erased('report', late);
    const { erasure_id: id } = await requested('plate', plateNumber);
    expect((await until(id, 'counted')).preview).toMatchObject({ reports: 1, held: 1 });
    // As a change of the customer leaves it that had read the report before its removal.
    await rows(`INSERT INTO erasure_reports (erasure_id, project_id, report_id, state) VALUES ($1, $2, $3, 'removed') RETURNING 1`, [
      ...[id, projectId, late],
    ]);
    await rows(`INSERT INTO visits (project_id, report_id, details, updated_at) VALUES ($1, $2, $3, now()) RETURNING 1`, [
      ...[projectId, late, Buffer.from('x')],
    ]);
    expect(await heldOf(ledger(), new Map([[projectId, [late, held]]]))).toEqual([held]);
    expect(await heldOf(ledger(), new Map([[newId(), [held]]]))).toEqual([]);
    await confirm(id);
    const { certificate } = await until(id, 'done');
    expect(certificate).toMatchObject({ report_ids: [late], held_report_ids: [held] });
    expect(certificate!.remaining).toEqual(
      expect.arrayContaining([
        { store: 'gateway', what: 'visits', count: 1 },
        { store: 'ledger', what: 'reports', count: 1 },
      ]),
    );
    expect(await rows('SELECT report_id FROM visits WHERE report_id = ANY($1)', [[late, held]])).toEqual([{ report_id: held }]);
    await owner.call('DELETE', at(`reports/${held}/legal-hold`));
  });

  it('needs the password and a count, shows the value to the member who asked only, and can be cancelled', async () => {
    const { erasure_id: id } = await requested('plate', plate());
    await until(id, 'counted');
    expect((await confirm(id, { reason: REASON, password: 'wrong password' })).error).toMatchObject({ param: 'password' });
    expect((await confirm(id, { reason: '', password: PASSWORD })).error).toMatchObject({ param: 'reason' });
    expect((await shown(id, other)).subject).toBeNull();
    expect(Erasure.parse((await cancel(id)).json)).toMatchObject({ state: 'cancelled', subject: null });
    expect((await cancel(id)).status).toBe(200);
    expect((await confirm(id)).error?.code).toBe('conflict');
  });

  it('is for owners and administrators of the organization', async () => {
    const { erasure_id: id } = await requested('plate', plate());
    const calls = [
      ['GET', 'erasures', undefined],
      ['POST', 'erasures', { kind: 'plate', value: '12가3456' }],
      ['GET', `erasures/${id}`, undefined],
      ['POST', `erasures/${id}/confirm`, { reason: REASON, password: PASSWORD }],
      ['POST', `erasures/${id}/cancel`, undefined],
      ['POST', 'erasure-certificates/check', { certificate: {} }],
      ['POST', 'subject-exports', { kind: 'plate', value: '12가3456', password: PASSWORD }],
    ] as const;
    for (const [method, path, body] of calls) {
      expect((await developer.call(method, at(path), { body })).status).toBe(403);
      expect((await stranger.call(method, at(path), { body })).status).toBe(404);
    }
    const missing = await owner.call('GET', at(`erasures/${newId()}`));
    expect(missing.status).toBe(404);
    await until(id, 'counted');
    await cancel(id);
  });

  it('is refused where the value names too many reports, and where ten are open', async () => {
    const shared = newId();
    await rows(
      `INSERT INTO visits (project_id, report_id, details, phone_digest, updated_at)
       SELECT $1, gen_random_uuid(), $2, $3, now() FROM generate_series(1, 1001) RETURNING 1`,
      [projectId, Buffer.from('x'), await phoneDigest('010-9999-0000')],
    );
    const { erasure_id: id } = await requested('phone', '010-9999-0000');
    expect(await until(id, 'refused')).toMatchObject({ subject: null, preview: null });
    await rows(`DELETE FROM visits WHERE details = $1 RETURNING 1`, [Buffer.from('x')]);
    const open = [];
    for (let count = 0; count < 10; count++) open.push((await requested('vehicle', shared)).erasure_id);
    expect((await owner.call('POST', at('erasures'), { body: { kind: 'vehicle', value: shared } })).error?.code).toBe('conflict');
    for (const each of open) await cancel(each);
    const { erasures } = ErasureList.parse((await owner.call('GET', at('erasures'))).json);
    expect(erasures.filter(({ state }) => state === 'cancelled').length).toBeGreaterThanOrEqual(10);
  });

  const phoneDigest = async (phone: string): Promise<unknown> => {
    const reportId = await newReport();
    await record(reportId, { phone });
    const [row] = await rows('DELETE FROM visits WHERE report_id = $1 RETURNING phone_digest AS digest', [reportId]);
    return row!['digest'];
  };

  it('has a certificate that this service recognizes, and that a change spoils', async () => {
    const plateNumber = plate();
    const { certificate } = await erased('plate', plateNumber);
    const check = async (body: object) =>
      CheckedCertificate.parse((await owner.call('POST', at('erasure-certificates/check'), { body })).json);
    expect(await check({ certificate })).toEqual({ is_valid: true, is_of_value: null });
    expect(await check({ certificate, value: ` ${plateNumber}` })).toEqual({ is_valid: true, is_of_value: true });
    expect(await check({ certificate, value: plate() })).toEqual({ is_valid: true, is_of_value: false });
    expect(await check({ certificate: { ...certificate, reason: 'x' }, value: plateNumber })).toEqual({
      is_valid: false,
      is_of_value: null,
    });
  });

  it('erases again what a restored backup brought back, by the index, and nothing by a line that it did not sign', async () => {
    const { certificate } = await erased('plate', plate());
    const restored = await newReport({ plate_number: plate() });
    await record(restored, { name: '김민수' });
    const key = await gateway.part(PhoneDigests).keyOf(CERTIFICATE_KEY);
    const { signature: _, ...fields } = certificate!;
    // The backup is older than the erasure, so its row is missing and its report is there.
    const ofBackup = signed(key, { ...fields, erasure_id: newId(), report_ids: [restored] });
    const replay = (line: string) => replayed(gateway.part(Database), key, line);
    for (const line of ['', '{', '{}', JSON.stringify({ ...ofBackup, reason: 'x' }), JSON.stringify(signed(Buffer.alloc(32), fields))])
      expect(await replay(line)).toBeNull();
    expect(await isGone(restored)).toBe(false);
    expect(await replay(JSON.stringify(ofBackup))).toEqual(ofBackup);
    gateway.part(ErasureRunner).nudge();
    expect((await until(ofBackup.erasure_id, 'done')).certificate).toEqual(ofBackup);
    expect(await isGone(restored)).toBe(true);
    expect(await rows('SELECT FROM visits WHERE report_id = $1', [restored])).toEqual([]);
    expect(await replay(JSON.stringify(ofBackup))).toEqual(ofBackup);
    gateway.part(ErasureRunner).nudge();
    await until(ofBackup.erasure_id, 'done');
  });

  it('erases again what a restored ledger brought back of an erasure that had ended here', async () => {
    const { certificate } = await erased('plate', plate());
    const restored = await newReport();
    await rows(`INSERT INTO erasure_reports (erasure_id, project_id, report_id, state) VALUES ($1, $2, $3, 'removed') RETURNING 1`, [
      ...[certificate!.erasure_id, projectId, restored],
    ]);
    const key = await gateway.part(PhoneDigests).keyOf(CERTIFICATE_KEY);
    const { signature: _, ...fields } = certificate!;
    const line = JSON.stringify(signed(key, { ...fields, report_ids: [restored] }));
    expect(await replayed(gateway.part(Database), key, line)).not.toBeNull();
    gateway.part(ErasureRunner).nudge();
    await until(certificate!.erasure_id, 'done');
    expect(await isGone(restored)).toBe(true);
  });

  it('has an index that is read in pages, with the certificates of erasures that are replayed just now', async () => {
    const { erasure_id: replaying } = await erased('plate', plate());
    await rows(
      `UPDATE erasures SET state = 'erasing', ended_at = NULL, next_at = now() + interval '1 day' WHERE erasure_id = $1 RETURNING 1`,
      [replaying],
    );
    const page = (since: Date, after: string, limit: number) =>
      gateway.part(Database).asSystem((tx) => certificatesSince(tx, since, after, limit));
    const first = '00000000-0000-0000-0000-000000000000';
    const all = await page(new Date(0), first, 1_000);
    expect(all.map(({ erasureId }) => erasureId)).toContain(replaying);
    const byOne: typeof all = [];
    for (let after = first; ;) {
      const [row] = await page(new Date(0), after, 1);
      if (!row) break;
      byOne.push(row);
      after = row.erasureId;
    }
    expect(byOne).toEqual(all);
    expect(await page(new Date(Date.now() + 86_400_000), first, 1_000)).toEqual([]);
  });

  it('exports everything that is kept, after the password, to whoever may erase', async () => {
    const plateNumber = plate();
    const reportId = await newReport({ plate_number: plateNumber });
    const customer = { name: '홍길동', phone: '010-5555-6666', email: 'hong@shop.example', note: null };
    await record(reportId, customer);
    await becomes(async () => (await owner.call('GET', at(`reports/${reportId}/content`))).status, 200);
    const body = { kind: 'plate', value: plateNumber, password: PASSWORD };
    const answer = await fetch(`${gateway.origin}/console/api${at('subject-exports')}`, {
      method: 'POST',
      headers: { cookie: owner.cookie, origin: gateway.origin, 'x-csrf-token': owner.csrfToken, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const zip = new AdmZip(Buffer.from(await answer.arrayBuffer()));
    const read = (name: string): unknown => JSON.parse(zip.readAsText(`reports/${reportId}/${name}`));
    expect(zip.readAsText('README.ko.txt')).toContain('개인정보');
    expect(JSON.parse(zip.readAsText('subject.json'))).toMatchObject({ value: plateNumber, report_ids: [reportId] });
    expect(read('report.json')).toMatchObject({ report_id: reportId, vehicle: { plate_number: plateNumber } });
    expect(read('customer.json')).toMatchObject(customer);
    expect(read('content.json')).toMatchObject({ status: 'ready' });
    const wrong = await owner.call('POST', at('subject-exports'), { body: { ...body, password: 'wrong password' } });
    expect(wrong.error).toMatchObject({ param: 'password' });
  });
});

/* oxlint-disable max-lines -- one suite, so that its services start once */
import { CreateReportResponse } from '@tire/contracts/api';
import { AuditLog, Erasure, ExportSchedule, ExportScheduleList, FileAddress, Project, type ScheduledFile } from '@tire/contracts/console';
import { EXPORT_ATTEMPTS_MAX, EXPORT_KEPT_DAYS, EXPORT_SCHEDULES_MAX } from '@tire/contracts/limits';
import { dayIn, newId, POSITIONS } from '@tire/kernel';
import { eventually, freePort, startMailServer, testClock } from '@tire/test-harness';
import { createHash } from 'node:crypto';
import { dueAt, periodOf } from '../domain/export-schedule';
import { startBehind } from '../testing/behind';
import { Browser, invited, newOrganization, PASSWORD } from '../testing/browser';
import { startExportStore } from '../testing/export-store';
import { startGateway } from '../testing/gateway';
import { ErasureRunner } from '../erasures/erasure.runner';
import { ExportTurns } from './export-turns';
import { ScheduledFileRunner } from './scheduled-file.runner';
import { markDone } from './scheduled-files.store';

const ZONE = 'Asia/Seoul';
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LEASE_MS = 15 * MINUTE_MS;
const TIRES = POSITIONS.map((position) => ({ position, groove_depths_mm: [5, 4.8, 5.2], size: null }));

const SCHEDULE = {
  kind: 'reports',
  frequency: 'daily',
  format: 'csv',
  language: 'en',
  columns: ['plate_number', 'depth_front_left'],
  filters: {},
  bucket: null,
} as const;

describe('scheduled exports', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let store: Awaited<ReturnType<typeof startExportStore>>;
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let second: Awaited<ReturnType<typeof startGateway>>;
  let owner: Browser;
  let support: Browser;
  let stranger: Browser;
  let organizationId: string;
  let ownerEmail: string;
  const clock = testClock(new Date());

  beforeAll(async () => {
    const port = await freePort();
    [behind, store, mail] = await Promise.all([startBehind(`http://127.0.0.1:${port}/api/v1`), startExportStore(), startMailServer()]);
    const addresses = { ...behind.addresses, ASSETS_GRPC_URL: store.address };
    const environment = {
      ...{ SMTP_HOST: '127.0.0.1', SMTP_PORT: mail.port, SMTP_TLS: 'none', SMTP_FROM: 'mail@shop.example' },
      ...{ CONSOLE_IDLE_MINUTES: 1_440, CONSOLE_SESSION_HOURS: 720 },
    };
    gateway = await startGateway({ port, addresses, environment, clock });
    const database = { url: gateway.databaseUrl, ownerUrl: gateway.ownerUrl };
    second = await startGateway({ addresses, environment, clock, database });
    [owner, support, stranger] = [1, 2, 3].map((last) => new Browser(gateway.origin, `192.0.2.${last}`)) as [Browser, Browser, Browser];
    ({ organizationId, email: ownerEmail } = await newOrganization(gateway.databaseUrl));
    await owner.signIn(ownerEmail);
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
    await invited(owner, support, organizationId, 'support', `${newId()}@shop.example`);
  }, 120_000);
  beforeEach(async () => {
    clock.setTo(new Date());
    // When the time moves, what other tests planned would come due.
    for (const table of ['export_files', 'export_schedules']) await sql(`DELETE FROM ${table} RETURNING project_id`, []);
    await owner.signIn(ownerEmail);
  });
  afterAll(async () => {
    await second?.stop();
    await gateway?.stop();
    await behind?.stop();
    await store?.stop();
    await mail?.stop();
  });

  const newProject = async (): Promise<string> => {
    const { json } = await owner.call('POST', `/organizations/${organizationId}/projects`, {
      body: { name: `Shop ${newId()}`, mode: 'live' },
    });
    return Project.parse(json).project_id;
  };
  const newReport = async (projectId: string, plate: string): Promise<void> => {
    const body = { tires: TIRES, plate_number: plate };
    CreateReportResponse.parse((await owner.call('POST', `/projects/${projectId}/manual-reports`, { body })).json);
  };
  /** Also after days, when the session has ended. */
  const asOwner: Browser['call'] = async (...request) => {
    const reply = await owner.call(...request);
    if (reply.status !== 401) return reply;
    await owner.signIn(ownerEmail);
    return owner.call(...request);
  };
  /** With its byte order mark. */
  const whole = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString();
  const path = (projectId: string, scheduleId = '') => `/projects/${projectId}/export-schedules${scheduleId && `/${scheduleId}`}`;
  const create = async (projectId: string, settings: object = {}): Promise<ExportSchedule> => {
    const { json } = await owner.call('POST', path(projectId), { body: { ...SCHEDULE, password: PASSWORD, ...settings } });
    return ExportSchedule.parse(json);
  };
  const list = async (projectId: string) => ExportScheduleList.parse((await asOwner('GET', path(projectId))).json).schedules;
  const files = async (projectId: string): Promise<ScheduledFile[]> => (await list(projectId)).flatMap((schedule) => schedule.files);
  const run = (of = gateway) => of.part(ScheduledFileRunner).run();
  /** The next file of the schedule is due now. */
  const comesDue = ({ next_at }: ExportSchedule) => clock.setTo(new Date(next_at));
  const later = (ms: number) => clock.advanceMs(ms);
  const download = async (projectId: string, { file_id }: ScheduledFile): Promise<string> => {
    const { json } = await asOwner('POST', `/projects/${projectId}/export-files/${file_id}/address`);
    return whole(await fetch(FileAddress.parse(json).url));
  };
  const sql = (text: string, values: unknown[]) => gateway.database.systemQuery<Record<string, unknown>>(text, values);
  const filesByKind = (projectId: string) => sql('SELECT * FROM export_files WHERE project_id = $1 ORDER BY kind', [projectId]);
  const hexOf = (text: string) => createHash('sha256').update(text).digest('hex');

  it('the file of a day has its reports, is stored for a download, and is in the bucket of the customer with its digest', async () => {
    const projectId = await newProject();
    const schedule = await create(projectId, { bucket: store.bucket });
    expect(schedule.next_first_day).toBe(dayIn(ZONE, clock.now()));
    expect(schedule.next_at).toBe(dueAt(ZONE, periodOf('daily', schedule.next_first_day)).toISOString());
    await newReport(projectId, '12가 3456');
    await run();
    expect(await files(projectId)).toEqual([]);
    comesDue(schedule);
    await run();
    const [file] = await files(projectId);
    expect(file).toMatchObject({ state: 'done', attempts: 1, fault: null, first_day: schedule.next_first_day });
    const content = await download(projectId, file!);
    expect(content).toBe('\uFEFFPlate,Depth front left (mm)\r\n12가 3456,4.8\r\n');
    expect(file).toMatchObject({ sha256: hexOf(content), size_bytes: Buffer.byteLength(content) });
    const delivered = await store.delivered(file!.name);
    expect(await whole(delivered)).toBe(content);
    expect(delivered.headers.get('x-amz-meta-sha256')).toBe(file!.sha256);
    expect(delivered.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    // The next day has no report.
    comesDue((await list(projectId))[0]!);
    await run();
    const [next] = await files(projectId);
    expect([next!.state, next!.first_day > schedule.next_first_day]).toEqual(['done', true]);
    expect(await download(projectId, next!)).toBe('\uFEFFPlate,Depth front left (mm)\r\n');
  });

  it('has the filters that were chosen, and the format', async () => {
    const projectId = await newProject();
    await newReport(projectId, '34나 5678');
    const [none, book] = [await create(projectId, { filters: { mode: 'automatic' } }), await create(projectId, { format: 'xlsx' })];
    comesDue(book);
    await run();
    const made = new Map((await list(projectId)).map((schedule) => [schedule.schedule_id, schedule.files[0]!]));
    expect(await download(projectId, made.get(none.schedule_id)!)).toBe('\uFEFFPlate,Depth front left (mm)\r\n');
    const file = made.get(book.schedule_id)!;
    expect(file.name).toMatch(/^reports-daily-\d{4}-\d\d-\d\d-[0-9a-f]{8}\.xlsx$/);
    expect((await download(projectId, file)).slice(0, 2)).toBe('PK');
  });

  it('usage has what reports cost', async () => {
    const projectId = await newProject();
    const today = dayIn(ZONE, clock.now());
    await owner.call('POST', `/projects/${projectId}/report-prices`, { body: { valid_from: today, amount_minor: 1_500, currency: 'KRW' } });
    await newReport(projectId, '56다 7890');
    const schedule = await create(projectId, { kind: 'usage', columns: [], frequency: 'monthly' });
    comesDue(schedule);
    await run();
    const [file] = await files(projectId);
    const lines = (await download(projectId, file!)).trimEnd().split('\r\n');
    expect(lines[0]).toBe('day,reports,images,callbacks,callbacks_delivered,cost,currency');
    expect(lines).toContain(`${today},1,0,0,0,1500,KRW`);
    expect(lines.at(-1)).toBe('sum,,,,,1500,KRW');
    expect([file!.first_day, file!.last_day]).toEqual([`${today.slice(0, 7)}-01`, lines.at(-2)!.slice(0, 10)]);
  });

  it('two processes at once make one file', async () => {
    const projectId = await newProject();
    comesDue(await create(projectId, { bucket: store.bucket }));
    await Promise.all([run(gateway), run(second), run(gateway), run(second)]);
    const made = await files(projectId);
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ state: 'done', attempts: 1 });
  });

  it('a process that died leaves a file that another one makes or delivers after the lease', async () => {
    const projectId = await newProject();
    comesDue(await create(projectId, { bucket: store.bucket }));
    await run();
    const [{ name, file_id: fileId }] = (await files(projectId)) as [ScheduledFile];
    const leaseEnds = new Date(clock.now().getTime() + LEASE_MS);
    const dead = (state: string, stored: string) =>
      sql(
        `UPDATE export_files SET state = $2, attempts = 1, attempt_id = $3, next_at = $4, delivered_at = NULL ${stored} WHERE file_id = $1
         RETURNING file_id`,
        [fileId, state, newId(), leaseEnds],
      );
    // Before the upload, or after it and before the row says so.
    await dead('waiting', ', sha256 = NULL, stored_at = NULL, size_bytes = NULL');
    await run();
    expect(await files(projectId)).toMatchObject([{ state: 'waiting', attempts: 1, size_bytes: null }]);
    later(LEASE_MS);
    await run(second);
    expect(await files(projectId)).toMatchObject([{ name, state: 'done', attempts: 2, fault: null }]);
    // Before the delivery, or after it and before the row says so: it is not made again.
    const [{ stored_at: storedAt }] = (await files(projectId)) as [ScheduledFile];
    leaseEnds.setTime(clock.now().getTime() + LEASE_MS);
    await dead('stored', '');
    later(LEASE_MS);
    await run();
    expect(await files(projectId)).toMatchObject([{ state: 'done', attempts: 2, stored_at: storedAt }]);
    // In the last attempt.
    await sql(`UPDATE export_files SET state = 'stored', attempts = $2, next_at = $3 WHERE file_id = $1 RETURNING file_id`, [
      ...[fileId, EXPORT_ATTEMPTS_MAX, clock.now()],
    ]);
    await run();
    expect(await files(projectId)).toMatchObject([{ state: 'failed', fault: 'interrupted', next_attempt_at: null }]);
  });

  it('what an attempt writes after its lease does not count', async () => {
    const projectId = await newProject();
    comesDue(await create(projectId));
    await run();
    const [{ file_id: fileId }] = (await files(projectId)) as [ScheduledFile];
    await sql(`UPDATE export_files SET state = 'waiting', attempt_id = $2 WHERE file_id = $1 RETURNING file_id`, [fileId, newId()]);
    expect(await gateway.database.asSystem((tx) => markDone(tx, { fileId, attemptId: newId() }, clock.now()))).toBe(0);
  });

  it('waits for its turn while another export of the project runs, and no attempt is counted', async () => {
    const projectId = await newProject();
    comesDue(await create(projectId));
    const turn = await gateway.part(ExportTurns).take(projectId);
    await run();
    expect(await files(projectId)).toMatchObject([{ state: 'waiting', attempts: 0, fault: null }]);
    await turn.giveBack();
    later(MINUTE_MS);
    await run();
    expect(await files(projectId)).toMatchObject([{ state: 'done', attempts: 1 }]);
  });

  it('a bucket that refuses is tried for a day, the owners get one mail, and saved settings are tried at once', async () => {
    const projectId = await newProject();
    // The next file is not due within the days of this test.
    const schedule = await create(projectId, { frequency: 'weekly', bucket: { ...store.bucket, secret_access_key: 'wrong' } });
    comesDue(schedule);
    await run();
    expect(await files(projectId)).toMatchObject([
      { state: 'stored', attempts: 1, fault: 'bucket_refused', answer: '403 SignatureDoesNotMatch', delivered_at: null },
    ]);
    const began = clock.now().getTime();
    const { name } = (await files(projectId))[0]!;
    const mails = () => mail.received.filter(({ text }) => text.includes(name)).length;
    for (let attempt = 2; attempt <= EXPORT_ATTEMPTS_MAX; attempt += 1) {
      expect(mails()).toBe(attempt <= 4 ? 0 : 1);
      clock.setTo(new Date((await files(projectId))[0]!.next_attempt_at!));
      await run();
      if (attempt === 4) await eventually(() => mails() === 1);
    }
    expect(await files(projectId)).toMatchObject([{ state: 'failed', attempts: EXPORT_ATTEMPTS_MAX, next_attempt_at: null }]);
    expect(clock.now().getTime() - began).toBeGreaterThan(DAY_MS);
    later(DAY_MS);
    await run();
    expect(await files(projectId)).toMatchObject([{ state: 'failed', attempts: EXPORT_ATTEMPTS_MAX }]);
    await asOwner('PATCH', path(projectId, schedule.schedule_id), {
      body: { ...SCHEDULE, frequency: 'weekly', bucket: store.bucket, password: PASSWORD },
    });
    await run();
    expect(await files(projectId)).toMatchObject([{ name, state: 'done', attempts: 1, fault: null, answer: null }]);
    expect((await store.delivered(name)).status).toBe(200);
    expect(mails()).toBe(1);
  });

  it.each([
    ['a private address', { endpoint: 'https://10.0.0.1' }, 'bucket_forbidden', null],
    ['the metadata of a cloud', { endpoint: 'http://169.254.169.254' }, 'bucket_forbidden', null],
    ['another port of this machine', { endpoint: 'http://127.0.0.1:1' }, 'bucket_forbidden', null],
    ['a bucket that does not exist', { bucket: 'nobody' }, 'bucket_missing', '404 NoSuchBucket'],
  ])('%s gets nothing, and the console says so', async (_, wrong, fault, answer) => {
    const projectId = await newProject();
    comesDue(await create(projectId, { bucket: { ...store.bucket, ...wrong } }));
    await run();
    expect(await files(projectId)).toMatchObject([{ state: 'stored', fault, answer }]);
  });

  it('a service that is away is tried again', async () => {
    const projectId = await newProject();
    const away = await startGateway({ clock, database: { url: gateway.databaseUrl, ownerUrl: gateway.ownerUrl } });
    comesDue(await create(projectId));
    await run(away);
    expect(await files(projectId)).toMatchObject([{ state: 'waiting', attempts: 1, fault: 'service_unavailable' }]);
    await away.stop();
    later(MINUTE_MS);
    await run();
    expect(await files(projectId)).toMatchObject([{ state: 'done', attempts: 2, fault: null }]);
  });

  it(`a file is removed after ${EXPORT_KEPT_DAYS} days, with its object`, async () => {
    const projectId = await newProject();
    const schedule = await create(projectId, { frequency: 'monthly' });
    comesDue(schedule);
    await run();
    const [file] = await files(projectId);
    later(EXPORT_KEPT_DAYS * DAY_MS - MINUTE_MS);
    await run();
    expect((await store.stored(projectId, file!.name)).status).toBe(200);
    later(MINUTE_MS);
    await run();
    expect((await store.stored(projectId, file!.name)).status).toBe(404);
    expect(await sql('SELECT FROM export_files WHERE file_id = $1', [file!.file_id])).toEqual([]);
  });

  it('what cannot be planned or removed holds up nothing of another project', async () => {
    const [broken, whole] = [await newProject(), await newProject()];
    const schedule = await create(broken);
    await create(whole);
    comesDue(schedule);
    await sql(`UPDATE projects SET time_zone = 'Nowhere/Here' WHERE project_id = $1 RETURNING project_id`, [broken]);
    await run();
    await sql('UPDATE projects SET time_zone = NULL WHERE project_id = $1 RETURNING project_id', [broken]);
    expect(await files(whole)).toMatchObject([{ state: 'done' }]);
    expect(await files(broken)).toEqual([]);
    later(HOUR_MS);
    await run();
    expect(await files(broken)).toMatchObject([{ state: 'done' }]);
    // Assets refuses such a name.
    await sql(
      `UPDATE export_files SET name = '../x', expires_at = expires_at - interval '1 hour' WHERE project_id = $1 RETURNING file_id`,
      [broken],
    );
    later(EXPORT_KEPT_DAYS * DAY_MS);
    await run();
    const left = await sql('SELECT name FROM export_files WHERE first_day = $1', [schedule.next_first_day]);
    expect(left).toEqual([{ name: '../x' }]);
  });

  it('after a long outage the periods are left out whose files would have expired', async () => {
    const projectId = await newProject();
    const schedule = await create(projectId);
    comesDue(schedule);
    later(100 * DAY_MS);
    await run();
    const names = await sql('SELECT name, first_day FROM export_files WHERE project_id = $1 ORDER BY first_day', [projectId]);
    expect(names.length).toBeGreaterThanOrEqual(EXPORT_KEPT_DAYS - 1);
    expect(names.length).toBeLessThanOrEqual(EXPORT_KEPT_DAYS + 1);
  });

  it('goes with its files, and nothing is left in the bucket', async () => {
    const projectId = await newProject();
    const schedule = await create(projectId);
    comesDue(schedule);
    await run();
    const [file] = await files(projectId);
    expect((await asOwner('DELETE', path(projectId, schedule.schedule_id))).status).toBe(204);
    expect((await asOwner('DELETE', path(projectId, schedule.schedule_id))).status).toBe(204);
    expect((await asOwner('POST', `/projects/${projectId}/export-files/${file!.file_id}/address`)).status).toBe(404);
    await run();
    expect((await store.stored(projectId, file!.name)).status).toBe(404);
    expect(await list(projectId)).toEqual([]);
  });

  it('an erasure removes the files with reports, also one that waits for its delivery, after those that are under way', async () => {
    const projectId = await newProject();
    const reports = await create(projectId, { bucket: { ...store.bucket, secret_access_key: 'wrong' } });
    await create(projectId, { kind: 'usage', columns: [] });
    await newReport(projectId, '78라 9012');
    comesDue(reports);
    await run();
    const planned = await filesByKind(projectId);
    expect(planned).toMatchObject([
      { kind: 'reports', state: 'stored' },
      { kind: 'usage', state: 'done' },
    ]);
    const [ofReports, ofUsage] = planned as [{ file_id: string; name: string }, { file_id: string; name: string }];
    const at = (path: string) => `/projects/${projectId}/erasures${path}`;
    const { erasure_id: id } = Erasure.parse((await asOwner('POST', at(''), { body: { kind: 'plate', value: '99허 9999' } })).json);
    const shown = async () => Erasure.parse((await asOwner('GET', at(`/${id}`))).json);
    const look = () => gateway.part(ErasureRunner).look();
    await eventually(async () => (await shown()).state === 'counted');
    const removed = { store: 'gateway', what: 'export_files', count: 1 };
    expect((await shown()).preview!.counts).toEqual([removed]);
    // A process is at work on the file.
    await sql('UPDATE export_files SET attempt_id = $2, next_at = $3 WHERE file_id = $1 RETURNING file_id', [
      ...[ofReports.file_id, newId(), new Date(clock.now().getTime() + MINUTE_MS)],
    ]);
    expect((await asOwner('POST', at(`/${id}/confirm`), { body: { reason: 'Case 7', password: PASSWORD } })).status).toBe(202);
    await look();
    expect((await shown()).state).toBe('erasing');
    expect((await store.stored(projectId, ofReports.name)).status).toBe(200);
    await eventually(async () => {
      later(MINUTE_MS);
      await look();
      return (await shown()).state === 'done';
    });
    expect((await shown()).certificate!.removed).toEqual([removed]);
    expect(await filesByKind(projectId)).toMatchObject([{ file_id: ofUsage.file_id }]);
    expect((await store.stored(projectId, ofReports.name)).status).toBe(404);
    expect((await store.stored(projectId, ofUsage.name)).status).toBe(200);
    // Nothing is left to deliver when the bucket takes files again.
    await asOwner('PATCH', path(projectId, reports.schedule_id), { body: { ...SCHEDULE, bucket: store.bucket } });
    await run();
    expect((await store.delivered(ofReports.name)).status).toBe(404);
  });

  it('a secret is in no answer, no audit log and no row, and does not follow to another address', async () => {
    const projectId = await newProject();
    const secret = `planted-${newId()}`;
    const { schedule_id: id, ...made } = await create(projectId, { bucket: { ...store.bucket, secret_access_key: secret } });
    expect(made.bucket).toMatchObject({ access_key_id: store.bucket.access_key_id });
    const { secret_access_key: _, ...kept } = store.bucket;
    const change = (bucket: object | null, password?: string) =>
      owner.call('PATCH', path(projectId, id), { body: { ...SCHEDULE, bucket, ...(password && { password }) } });
    expect((await change({ ...kept, prefix: 'other/' })).status).toBe(200);
    for (const other of [{ endpoint: 'https://evil.example' }, { region: 'eu-west-1' }, { bucket: 'evil' }, { access_key_id: 'OTHER' }])
      expect((await change({ ...kept, ...other }, PASSWORD)).error).toMatchObject({
        code: 'validation_error',
        param: 'bucket.secret_access_key',
      });
    const { entries } = AuditLog.parse(
      (await owner.call('GET', `/organizations/${organizationId}/audit-log?project_id=${projectId}`)).json,
    );
    expect(entries.map(({ action }) => action)).toEqual(['export_schedule.changed', 'export_schedule.created', 'project.created']);
    expect(entries[0]!.details.bucket).toBe(`${store.bucket.endpoint}/customer/other/`);
    const rows = await sql('SELECT *, encode(bucket_secret, $2) AS text FROM export_schedules WHERE schedule_id = $1', [id, 'escape']);
    for (const shown of [made, entries, rows, await list(projectId)]) expect(JSON.stringify(shown)).not.toContain(secret);
  });

  it('a new bucket, key or secret needs the password again; the rest does not', async () => {
    const projectId = await newProject();
    const refused = { code: 'validation_error', param: 'password' };
    const added = (password?: string) =>
      owner.call('POST', path(projectId), { body: { ...SCHEDULE, bucket: store.bucket, ...(password && { password }) } });
    for (const password of [undefined, 'wrong password']) expect((await added(password)).error).toMatchObject(refused);
    expect(await list(projectId)).toEqual([]);
    const { schedule_id: id } = await create(projectId, { password: undefined });
    const change = (bucket: object | null, password?: string) =>
      owner.call('PATCH', path(projectId, id), { body: { ...SCHEDULE, bucket, ...(password && { password }) } });
    expect((await change(store.bucket)).error).toMatchObject(refused);
    expect((await change(store.bucket, PASSWORD)).status).toBe(200);
    const { secret_access_key: _, ...kept } = store.bucket;
    expect((await change({ ...kept, prefix: 'other/' })).status).toBe(200);
    for (const other of [{ endpoint: 'https://evil.example' }, { access_key_id: 'OTHER' }, { secret_access_key: 'other' }])
      expect((await change({ ...kept, ...other })).error).toMatchObject(refused);
    expect((await change(null)).status).toBe(200);
  });

  it.each<[string, { readonly bucket?: object; readonly [name: string]: unknown }, string]>([
    ['columns of customers', { columns: ['customer_name'] }, 'columns[0]'],
    ['no column', { columns: [] }, 'columns'],
    ['usage as a workbook', { kind: 'usage', format: 'xlsx' }, 'format'],
    ['an unknown filter', { filters: { plate: 'x' } }, 'plate'],
    ['an address with a path', { bucket: { endpoint: 'https://s3.example/path' } }, 'bucket.endpoint'],
    ['an address with a password', { bucket: { endpoint: 'https://a:b@s3.example' } }, 'bucket.endpoint'],
    ['a folder above', { bucket: { prefix: '../' } }, 'bucket.prefix'],
    ['a prefix without a slash', { bucket: { prefix: 'tire' } }, 'bucket.prefix'],
    ['a header in a key', { bucket: { access_key_id: 'a\r\nx: y' } }, 'bucket.access_key_id'],
    ['no secret', { bucket: { secret_access_key: undefined } }, 'bucket.secret_access_key'],
  ])('refuses %s', async (_, wrong, param) => {
    const projectId = await newProject();
    const bucket = wrong.bucket ? { ...store.bucket, ...wrong.bucket } : null;
    const { status, error } = await owner.call('POST', path(projectId), { body: { ...SCHEDULE, password: PASSWORD, ...wrong, bucket } });
    expect([status, error?.param]).toEqual([422, param]);
    expect(await list(projectId)).toEqual([]);
  });

  it('a project has a bounded number of schedules', async () => {
    const projectId = await newProject();
    const answers = await Promise.all(
      Array.from({ length: EXPORT_SCHEDULES_MAX + 1 }, () => owner.call('POST', path(projectId), { body: SCHEDULE })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(EXPORT_SCHEDULES_MAX).fill(201), 409]);
  });

  it('owners and administrators only; for another organization there is none', async () => {
    const projectId = await newProject();
    const { schedule_id: id } = await create(projectId);
    const other = await newProject();
    for (const [method, to, body] of [
      ['GET', path(projectId), undefined],
      ['POST', path(projectId), SCHEDULE],
      ['PATCH', path(projectId, id), SCHEDULE],
      ['DELETE', path(projectId, id), undefined],
      ['POST', `/projects/${projectId}/export-files/${newId()}/address`, undefined],
    ] as const) {
      expect((await support.call(method, to, { body })).status).toBe(403);
      expect((await stranger.call(method, to, { body })).status).toBe(404);
    }
    // Another project of the same organization.
    expect((await owner.call('PATCH', path(other, id), { body: SCHEDULE })).status).toBe(404);
    expect((await owner.call('DELETE', path(other, id))).status).toBe(204);
    expect(await list(projectId)).toHaveLength(1);
  });
});

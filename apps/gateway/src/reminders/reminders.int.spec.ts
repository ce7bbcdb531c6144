/* oxlint-disable max-lines -- one suite, so that its services start once */
import { CreateReportResponse, Report } from '@tire/contracts/api';
import { AuditLog, IssuedApiKey, Project, Reminder, VehicleList, VehiclePassport } from '@tire/contracts/console';
import { dayIn, newId, POSITIONS } from '@tire/kernel';
import { becomes, eventually } from '@tire/test-harness';
import { digestOf } from '../identity/secrets';
import { MEASUREMENT } from '../testing/behind';
import { CONSENT, NOON, startReminders } from '../testing/reminders';
import { MessageSender } from '../messages/message.sender';
import { VisitRemoval } from '../visits/visit-removal';
import { claimReminders } from './reminders.store';

const HOUR_MS = 3_600_000;

/** A millimetre less on each inspection: four tires each. */
const treadOf = (count: number) => {
  const depthMm = count <= 4 ? 6 : 5;
  const interval = { lowMm: depthMm - 0.2, highMm: depthMm + 0.2 };
  return {
    ...MEASUREMENT,
    aggregatedRemainingDepthMm: depthMm,
    individualRemainingDepthMm: [depthMm, depthMm, depthMm],
    individualDepthInterval: [interval, interval, interval],
  };
};
describe('reminders', () => {
  let reminders: Awaited<ReturnType<typeof startReminders>>;
  let {
    clock,
    gateway,
    mail,
    provider,
    owner,
    support,
    developer,
    stranger,
    organizationId,
    projectId,
    at,
    newReport,
    newPerson,
    e164,
    newCustomer,
    plan,
    planned,
    listed,
    messagesOf,
    sql,
    comesDue,
    run,
    linkIn,
  } = {} as typeof reminders;

  beforeAll(async () => {
    reminders = await startReminders(treadOf);
    ({
      clock,
      gateway,
      mail,
      provider,
      owner,
      support,
      developer,
      stranger,
      organizationId,
      projectId,
      at,
      newReport,
      newPerson,
      e164,
      newCustomer,
      plan,
      planned,
      listed,
      messagesOf,
      sql,
      comesDue,
      run,
      linkIn,
    } = reminders);
  }, 120_000);
  afterAll(() => reminders?.stop());
  afterEach(() => {
    mail.faults.refusal = null;
    clock.setTo(NOON);
  });

  it('is planned with its consent for ten o’clock in the zone of the project, and listed for everybody who sees the report', async () => {
    const { reportId } = await newCustomer();
    const reminder = await planned(reportId);
    expect(reminder).toMatchObject({ state: 'planned', because: null, due_at: '2027-05-27T01:00:00.000Z', ended_at: null });
    expect(reminder.consent).toEqual({ ...CONSENT, at: NOON.toISOString(), recorded_by: 'A support' });
    expect(await listed(reportId, developer)).toEqual([reminder]);
    expect((await plan(reportId)).error).toMatchObject({ code: 'conflict', param: 'reminder' });
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log`)).json);
    const [entry] = entries.filter(({ action, subject }) => action === 'reminder.planned' && subject === reportId);
    expect(entry).toMatchObject({ details: { channel: 'email', language: 'ko' } });
    await run();
    expect(await messagesOf(reportId)).toEqual([]);
  });

  it.each([
    ['consent', { consent: null }, {}],
    ['email', { email: null }, {}],
    ['phone', { phone: '02-123-4567' }, { channel: 'sms' }],
    ['depth', {}, { reason: 'depth' }],
  ])('is refused without %s', async (param, customer, request) => {
    const { reportId } = await newCustomer(newPerson(), customer);
    expect((await plan(reportId, request)).error).toMatchObject({ code: 'conflict', param });
    expect(await listed(reportId)).toEqual([]);
  });

  it('is for the roles of the counter, of this organization', async () => {
    const { reportId } = await newCustomer();
    const { reminder_id } = await planned(reportId);
    const one = at(reportId, `/reminders/${reminder_id}`);
    expect([(await plan(reportId, {}, developer)).status, (await developer.call('DELETE', one)).status]).toEqual([403, 403]);
    expect((await stranger.call('GET', at(reportId, '/reminders'))).status).toBe(404);
    expect([(await plan(reportId, {}, stranger)).status, (await stranger.call('DELETE', one)).status]).toEqual([404, 404]);
    expect((await plan(newId())).status).toBe(404);
    const { memberships } = await stranger.refresh();
    const own = await stranger.call('POST', `/organizations/${memberships[0]?.organization_id}/projects`, {
      body: { name: newId(), mode: 'live' },
    });
    const underOwn = `/projects/${Project.parse(own.json).project_id}/reports/${reportId}/reminders`;
    expect((await stranger.call('GET', underOwn)).status).toBe(404);
    expect((await stranger.call('DELETE', `${underOwn}/${reminder_id}`)).status).toBe(404);
    expect((await plan(reportId, { consent: { version: '1999', language: 'ko' } })).status).toBe(422);
    expect(await listed(reportId)).toMatchObject([{ state: 'planned' }]);
  });

  it('goes by mail in the text of the project, with the way to stop it for people and programs', async () => {
    const { reportId, email } = await newCustomer(newPerson(), {}, '12가 3456');
    await comesDue(await planned(reportId));
    await run();
    const [received] = await mail.mailsTo(email);
    expect(received!.subject).toBe('[한빛 타이어] 12가 3456 타이어 점검 안내');
    expect(received!.text).toMatch(/김민수님.*02-123-4567/s);
    const headers = received!.raw.replaceAll(/\r\n[ \t]+/g, ' ');
    expect(headers).toContain(`List-Unsubscribe: <${linkIn(received!.text)}>`);
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    await becomes(() => messagesOf(reportId), [{ kind: 'reminder', channel: 'email', state: 'sent' }]);
    expect(await listed(reportId)).toMatchObject([{ state: 'sent', ended_at: NOON.toISOString() }]);
    await run();
    expect(await mail.mailsTo(email)).toHaveLength(1);
  });

  it('goes by text message with a short link', async () => {
    const { reportId, phone } = await newCustomer(newPerson(), {}, '34나 5678');
    await comesDue(await planned(reportId, { channel: 'sms' }));
    await run();
    const [text] = await provider.messagesTo(e164(phone));
    expect(text!.body.text).toMatch(/^\[한빛 타이어\] 김민수님, 34나 5678 타이어를 점검할 때가 되었습니다\. 02-123-4567\n수신거부 http/);
  });

  it('waits for the morning', async () => {
    const { reportId, email } = await newCustomer();
    const reminder = await planned(reportId);
    clock.advanceMs(9 * HOUR_MS);
    await comesDue(reminder);
    await run();
    expect(await listed(reportId)).toMatchObject([{ state: 'planned' }]);
    clock.advanceMs(11 * HOUR_MS - 1);
    await run();
    expect(await messagesOf(reportId)).toEqual([]);
    clock.advanceMs(1);
    await run();
    gateway.part(MessageSender).nudge();
    await mail.mailsTo(email);
  });

  it('leaves fifty messages of the project’s hour to its members, and no digest of an address without a key', async () => {
    const bucket = digestOf(`messages ${projectId}`);
    const leave = (tokens: number) =>
      sql(
        `INSERT INTO attempts (bucket, tokens, at) VALUES ($1, $2, $3)
         ON CONFLICT (bucket) DO UPDATE SET tokens = excluded.tokens, at = excluded.at RETURNING tokens`,
        [bucket, tokens, clock.now()],
      );
    const { reportId, email } = await newCustomer();
    const reminder = await planned(reportId);
    await comesDue(reminder);
    await leave(50.5);
    await run();
    expect(await listed(reportId)).toMatchObject([{ state: 'planned' }]);
    await leave(300);
    await comesDue(reminder);
    await run();
    expect(await listed(reportId)).toMatchObject([{ state: 'sent' }]);
    await mail.mailsTo(email);
    expect(await sql('SELECT bucket FROM attempts WHERE bucket = $1', [digestOf(`message ${projectId} ${email}`)])).toEqual([]);
  });

  it('is not sent at night where the mail server refused it by day, and goes out the next morning', async () => {
    mail.faults.refusal = { at: 'receiver', code: 451 };
    const { reportId, email } = await newCustomer();
    const reminder = await planned(reportId);
    clock.advanceMs(9 * HOUR_MS - 30_000);
    await comesDue(reminder);
    await run();
    const failed = { kind: 'reminder', channel: 'email', state: 'failed' };
    await becomes(() => messagesOf(reportId), [failed]);
    mail.faults.refusal = null;
    clock.advanceMs(2 * HOUR_MS);
    await run();
    expect(await listed(reportId)).toMatchObject([{ state: 'planned', ended_at: null }]);
    clock.advanceMs(10 * HOUR_MS);
    await run();
    await becomes(() => messagesOf(reportId), [{ ...failed, state: 'sent' }, failed]);
    expect(await mail.mailsTo(email)).toHaveLength(1);
  });

  it.each<[string, string, string, (reportId: string, reminder: Reminder) => Promise<unknown>]>([
    ['the shop stops it', 'stopped', 'shop', (id, { reminder_id }) => support.call('DELETE', at(id, `/reminders/${reminder_id}`))],
    ['the consent is withdrawn', 'stopped', 'consent', (id) => support.call('PATCH', at(id, '/visit'), { body: { consent: null } })],
    [
      'the customer has no address any more',
      'dropped',
      'address',
      (id) => support.call('PATCH', at(id, '/visit'), { body: { email: null } }),
    ],
    [
      'another person has the report now',
      'dropped',
      'address',
      (id) => support.call('PATCH', at(id, '/visit'), { body: { email: newPerson().email } }),
    ],
    [
      'it was planned for another address',
      'dropped',
      'address',
      (_, { reminder_id: id }) =>
        sql('UPDATE reminders SET receiver_digest = $2 WHERE reminder_id = $1 RETURNING reminder_id', [id, Buffer.alloc(32)]),
    ],
    ['it is a month late', 'dropped', 'late', (_, reminder) => comesDue(reminder, new Date(NOON.getTime() - 31 * 24 * HOUR_MS))],
  ])('is not sent when %s', async (_, state, because, change) => {
    const { reportId, email } = await newCustomer();
    const reminder = await planned(reportId);
    await comesDue(reminder);
    await change(reportId, reminder);
    await run();
    expect(await listed(reportId)).toMatchObject([{ state, because }]);
    expect(await messagesOf(reportId)).toEqual([]);
    expect(mail.received.some(({ to }) => to.includes(email))).toBe(false);
  });

  it.each<[string, (reportId: string) => Promise<unknown>]>([
    ['customer', (id) => support.call('DELETE', at(id, '/visit'))],
    ['report', (id) => owner.call('DELETE', at(id))],
  ])('goes with its %s', async (_, remove) => {
    const { reportId, email } = await newCustomer();
    await comesDue(await planned(reportId));
    await remove(reportId);
    await gateway.part(VisitRemoval).checkDue();
    await run();
    expect(await sql('SELECT 1 FROM reminders WHERE report_id = $1', [reportId])).toEqual([]);
    expect(mail.received.some(({ to }) => to.includes(email))).toBe(false);
  });

  it('is not sent where the vehicle was inspected again on a later day', async () => {
    const plate = '56다 7890';
    const { reportId } = await newCustomer(newPerson(), {}, plate);
    const reminder = await planned(reportId);
    await newReport(plate);
    await sql(`UPDATE reminders SET consent_at = '2020-01-01' WHERE reminder_id = $1 RETURNING reminder_id`, [reminder.reminder_id]);
    await comesDue(reminder);
    await eventually(async () => {
      await run();
      await comesDue(reminder);
      return (await listed(reportId))[0]!.because === 'inspected';
    });
    expect(await messagesOf(reportId)).toEqual([]);
  });

  it('goes out once where two runners look at once, and where a process died with it', async () => {
    const { reportId, email } = await newCustomer();
    const reminder = await planned(reportId);
    await comesDue(reminder);
    // Another process takes it and dies.
    const claimed = await claimReminders(gateway.database, NOON, new Date(NOON.getTime() + 600_000), 50);
    expect(claimed.map(({ reminderId }) => reminderId)).toContain(reminder.reminder_id);
    await Promise.all([run(), run(), run()]);
    expect(await messagesOf(reportId)).toEqual([]);
    clock.advanceMs(600_000);
    await Promise.all([run(), run(), run()]);
    await becomes(() => messagesOf(reportId), [{ kind: 'reminder', channel: 'email', state: 'sent' }]);
    expect(await mail.mailsTo(email)).toHaveLength(1);
  });

  it('is due when a tire may reach 3.0 mm, at the earliest', async () => {
    const { json } = await owner.call('POST', `/projects/${projectId}/keys`, { body: { name: 'key', scopes: ['report:*'] } });
    const key = IssuedApiKey.parse(json).value;
    const images = POSITIONS.map((position) => ({
      ...{ module_type: 'tire', slot: { position, image_type: 'tread' } },
      source: { url: `https://images.example/measured/tread/${position}.jpg` },
    }));
    const body = { template: 'tire_4t_0s', images, external_vehicle_id: '7', callback_url: 'https://partner.example/hook' };
    const reportIds: string[] = [];
    for (const _ of [1, 2]) {
      const created = await gateway.call('POST', '/reports', { key, body });
      const { report_id } = CreateReportResponse.parse(created.json);
      await eventually(async () => {
        const report = await gateway.call('GET', `/reports/${report_id}`, { key });
        return Report.parse(report.json).analysis_status === 'complete';
      });
      reportIds.push(report_id);
    }
    // Other vehicles, whose ids begin alike.
    for (const digit of [0, 1, 2, 3, 4, 5]) {
      const created = await gateway.call('POST', '/reports', { key, body: { ...body, external_vehicle_id: `7${digit}` } });
      expect(created.status).toBe(202);
    }
    const reportId = reportIds[1]!;
    await support.call('PATCH', at(reportId, '/visit'), { body: { ...newPerson(), consent: CONSENT } });
    const answer = await eventually(async () => {
      const planned = await plan(reportId, { reason: 'depth' });
      return planned.status === 201 && planned;
    });
    // A millimetre in seconds. The ledger has the clock of this machine, so the day is that of the passport.
    const found = await support.call('GET', `/projects/${projectId}/vehicles?search=7`);
    const [{ vehicle_id: vehicleId } = { vehicle_id: '' }] = VehicleList.parse(found.json).vehicles;
    const { wear } = VehiclePassport.parse((await support.call('GET', `/projects/${projectId}/vehicles/${vehicleId}`)).json);
    const days = wear.flatMap(({ reached }) => reached.filter(({ limit_mm }) => limit_mm === 3).map(({ earliest }) => earliest)).sort();
    const tomorrow = dayIn('Asia/Seoul', new Date(NOON.getTime() + 24 * HOUR_MS));
    const day = [dayIn('Asia/Seoul', new Date(days[0]!)), tomorrow].sort()[1];
    expect(Reminder.parse(answer.json)).toMatchObject({ reason: 'depth', state: 'planned', due_at: `${day}T01:00:00.000Z` });
  });
});

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
  let shop: Awaited<ReturnType<typeof startReminders>>;

  beforeAll(async () => void (shop = await startReminders(treadOf)), 120_000);
  afterAll(() => shop?.stop());
  afterEach(() => {
    shop.mail.faults.refusal = null;
    shop.clock.setTo(NOON);
  });

  it('is planned with its consent for ten o’clock in the zone of the project, and listed for everybody who sees the report', async () => {
    const { reportId } = await shop.newCustomer();
    const reminder = await shop.planned(reportId);
    expect(reminder).toMatchObject({ state: 'planned', because: null, due_at: '2027-05-27T01:00:00.000Z', ended_at: null });
    expect(reminder.consent).toEqual({ ...CONSENT, at: NOON.toISOString(), recorded_by: 'A support' });
    expect(await shop.listed(reportId, shop.developer)).toEqual([reminder]);
    expect((await shop.plan(reportId)).error).toMatchObject({ code: 'conflict', param: 'reminder' });
    const { entries } = AuditLog.parse((await shop.owner.call('GET', `/organizations/${shop.organizationId}/audit-log`)).json);
    const [entry] = entries.filter(({ action, subject }) => action === 'reminder.planned' && subject === reportId);
    expect(entry).toMatchObject({ details: { channel: 'email', language: 'ko' } });
    await shop.run();
    expect(await shop.messagesOf(reportId)).toEqual([]);
  });

  it.each([
    ['consent', { consent: null }, {}],
    ['email', { email: null }, {}],
    ['phone', { phone: '02-123-4567' }, { channel: 'sms' }],
    ['depth', {}, { reason: 'depth' }],
  ])('is refused without %s', async (param, customer, request) => {
    const { reportId } = await shop.newCustomer(shop.newPerson(), customer);
    expect((await shop.plan(reportId, request)).error).toMatchObject({ code: 'conflict', param });
    expect(await shop.listed(reportId)).toEqual([]);
  });

  it('is for the roles of the counter, of this organization', async () => {
    const { reportId } = await shop.newCustomer();
    const { reminder_id } = await shop.planned(reportId);
    const one = shop.at(reportId, `/reminders/${reminder_id}`);
    expect([(await shop.plan(reportId, {}, shop.developer)).status, (await shop.developer.call('DELETE', one)).status]).toEqual([403, 403]);
    expect((await shop.stranger.call('GET', shop.at(reportId, '/reminders'))).status).toBe(404);
    expect([(await shop.plan(reportId, {}, shop.stranger)).status, (await shop.stranger.call('DELETE', one)).status]).toEqual([404, 404]);
    expect((await shop.plan(newId())).status).toBe(404);
    const { memberships } = await shop.stranger.refresh();
    const own = await shop.stranger.call('POST', `/organizations/${memberships[0]?.organization_id}/projects`, {
      body: { name: newId(), mode: 'live' },
    });
    const underOwn = `/projects/${Project.parse(own.json).project_id}/reports/${reportId}/reminders`;
    expect((await shop.stranger.call('GET', underOwn)).status).toBe(404);
    expect((await shop.stranger.call('DELETE', `${underOwn}/${reminder_id}`)).status).toBe(404);
    expect((await shop.plan(reportId, { consent: { version: '1999', language: 'ko' } })).status).toBe(422);
    expect(await shop.listed(reportId)).toMatchObject([{ state: 'planned' }]);
  });

  it('goes by mail in the text of the project, with the way to stop it for people and programs', async () => {
    const { reportId, email } = await shop.newCustomer(shop.newPerson(), {}, '12가 3456');
    await shop.comesDue(await shop.planned(reportId));
    await shop.run();
    const [received] = await shop.mail.mailsTo(email);
    expect(received!.subject).toBe('[한빛 타이어] 12가 3456 타이어 점검 안내');
    expect(received!.text).toMatch(/김민수님.*02-123-4567/s);
    const headers = received!.raw.replaceAll(/\r\n[ \t]+/g, ' ');
    expect(headers).toContain(`List-Unsubscribe: <${shop.linkIn(received!.text)}>`);
    expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    await becomes(() => shop.messagesOf(reportId), [{ kind: 'reminder', channel: 'email', state: 'sent' }]);
    expect(await shop.listed(reportId)).toMatchObject([{ state: 'sent', ended_at: NOON.toISOString() }]);
    await shop.run();
    expect(await shop.mail.mailsTo(email)).toHaveLength(1);
  });

  it('goes by text message with a short link', async () => {
    const { reportId, phone } = await shop.newCustomer(shop.newPerson(), {}, '34나 5678');
    await shop.comesDue(await shop.planned(reportId, { channel: 'sms' }));
    await shop.run();
    const [text] = await shop.provider.messagesTo(shop.e164(phone));
    expect(text!.body.text).toMatch(/^\[한빛 타이어\] 김민수님, 34나 5678 타이어를 점검할 때가 되었습니다\. 02-123-4567\n수신거부 http/);
  });

  it('waits for the morning', async () => {
    const { reportId, email } = await shop.newCustomer();
    const reminder = await shop.planned(reportId);
    shop.clock.advanceMs(9 * HOUR_MS);
    await shop.comesDue(reminder);
    await shop.run();
    expect(await shop.listed(reportId)).toMatchObject([{ state: 'planned' }]);
    shop.clock.advanceMs(11 * HOUR_MS - 1);
    await shop.run();
    expect(await shop.messagesOf(reportId)).toEqual([]);
    shop.clock.advanceMs(1);
    await shop.run();
    shop.gateway.part(MessageSender).nudge();
    await shop.mail.mailsTo(email);
  });

  it('leaves fifty messages of the project’s hour to its members, and no digest of an address without a key', async () => {
    const bucket = digestOf(`messages ${shop.projectId}`);
    const leave = (tokens: number) =>
      shop.sql(
        `INSERT INTO attempts (bucket, tokens, at) VALUES ($1, $2, $3)
         ON CONFLICT (bucket) DO UPDATE SET tokens = excluded.tokens, at = excluded.at RETURNING tokens`,
        [bucket, tokens, shop.clock.now()],
      );
    const { reportId, email } = await shop.newCustomer();
    const reminder = await shop.planned(reportId);
    await shop.comesDue(reminder);
    await leave(50.5);
    await shop.run();
    expect(await shop.listed(reportId)).toMatchObject([{ state: 'planned' }]);
    await leave(300);
    await shop.comesDue(reminder);
    await shop.run();
    expect(await shop.listed(reportId)).toMatchObject([{ state: 'sent' }]);
    await shop.mail.mailsTo(email);
    expect(await shop.sql('SELECT bucket FROM attempts WHERE bucket = $1', [digestOf(`message ${shop.projectId} ${email}`)])).toEqual([]);
  });

  it('is not sent at night where the mail server refused it by day, and goes out the next morning', async () => {
    shop.mail.faults.refusal = { at: 'receiver', code: 451 };
    const { reportId, email } = await shop.newCustomer();
    const reminder = await shop.planned(reportId);
    shop.clock.advanceMs(9 * HOUR_MS - 30_000);
    await shop.comesDue(reminder);
    await shop.run();
    const failed = { kind: 'reminder', channel: 'email', state: 'failed' };
    await becomes(() => shop.messagesOf(reportId), [failed]);
    shop.mail.faults.refusal = null;
    shop.clock.advanceMs(2 * HOUR_MS);
    await shop.run();
    expect(await shop.listed(reportId)).toMatchObject([{ state: 'planned', ended_at: null }]);
    shop.clock.advanceMs(10 * HOUR_MS);
    await shop.run();
    await becomes(() => shop.messagesOf(reportId), [{ ...failed, state: 'sent' }, failed]);
    expect(await shop.mail.mailsTo(email)).toHaveLength(1);
  });

  it.each<[string, string, string, (reportId: string, reminder: Reminder) => Promise<unknown>]>([
    [
      'the shop stops it',
      'stopped',
      'shop',
      (id, { reminder_id }) => shop.support.call('DELETE', shop.at(id, `/reminders/${reminder_id}`)),
    ],
    [
      'the consent is withdrawn',
      'stopped',
      'consent',
      (id) => shop.support.call('PATCH', shop.at(id, '/visit'), { body: { consent: null } }),
    ],
    [
      'the customer has no address any more',
      'dropped',
      'address',
      (id) => shop.support.call('PATCH', shop.at(id, '/visit'), { body: { email: null } }),
    ],
    [
      'another person has the report now',
      'dropped',
      'address',
      (id) => shop.support.call('PATCH', shop.at(id, '/visit'), { body: { email: shop.newPerson().email } }),
    ],
    [
      'it was planned for another address',
      'dropped',
      'address',
      (_, { reminder_id: id }) =>
        shop.sql('UPDATE reminders SET receiver_digest = $2 WHERE reminder_id = $1 RETURNING reminder_id', [id, Buffer.alloc(32)]),
    ],
    ['it is a month late', 'dropped', 'late', (_, reminder) => shop.comesDue(reminder, new Date(NOON.getTime() - 31 * 24 * HOUR_MS))],
  ])('is not sent when %s', async (_, state, because, change) => {
    const { reportId, email } = await shop.newCustomer();
    const reminder = await shop.planned(reportId);
    await shop.comesDue(reminder);
    await change(reportId, reminder);
    await shop.run();
    expect(await shop.listed(reportId)).toMatchObject([{ state, because }]);
    expect(await shop.messagesOf(reportId)).toEqual([]);
    expect(shop.mail.received.some(({ to }) => to.includes(email))).toBe(false);
  });

  it.each<[string, (reportId: string) => Promise<unknown>]>([
    ['customer', (id) => shop.support.call('DELETE', shop.at(id, '/visit'))],
    ['report', (id) => shop.owner.call('DELETE', shop.at(id))],
  ])('goes with its %s', async (_, remove) => {
    const { reportId, email } = await shop.newCustomer();
    await shop.comesDue(await shop.planned(reportId));
    await remove(reportId);
    await shop.gateway.part(VisitRemoval).checkDue();
    await shop.run();
    expect(await shop.sql('SELECT 1 FROM reminders WHERE report_id = $1', [reportId])).toEqual([]);
    expect(shop.mail.received.some(({ to }) => to.includes(email))).toBe(false);
  });

  it('is not sent where the vehicle was inspected again on a later day', async () => {
    const plate = '56다 7890';
    const { reportId } = await shop.newCustomer(shop.newPerson(), {}, plate);
    const reminder = await shop.planned(reportId);
    await shop.newReport(plate);
    await shop.sql(`UPDATE reminders SET consent_at = '2020-01-01' WHERE reminder_id = $1 RETURNING reminder_id`, [reminder.reminder_id]);
    await shop.comesDue(reminder);
    await eventually(async () => {
      await shop.run();
      await shop.comesDue(reminder);
      return (await shop.listed(reportId))[0]!.because === 'inspected';
    });
    expect(await shop.messagesOf(reportId)).toEqual([]);
  });

  it('goes out once where two runners look at once, and where a process died with it', async () => {
    const { reportId, email } = await shop.newCustomer();
    const reminder = await shop.planned(reportId);
    await shop.comesDue(reminder);
    // Another process takes it and dies.
    const claimed = await claimReminders(shop.gateway.database, NOON, new Date(NOON.getTime() + 600_000), 50);
    expect(claimed.map(({ reminderId }) => reminderId)).toContain(reminder.reminder_id);
    await Promise.all([shop.run(), shop.run(), shop.run()]);
    expect(await shop.messagesOf(reportId)).toEqual([]);
    shop.clock.advanceMs(600_000);
    await Promise.all([shop.run(), shop.run(), shop.run()]);
    await becomes(() => shop.messagesOf(reportId), [{ kind: 'reminder', channel: 'email', state: 'sent' }]);
    expect(await shop.mail.mailsTo(email)).toHaveLength(1);
  });

  it('is due when a tire may reach 3.0 mm, at the earliest', async () => {
    const { json } = await shop.owner.call('POST', `/projects/${shop.projectId}/keys`, { body: { name: 'key', scopes: ['report:*'] } });
    const key = IssuedApiKey.parse(json).value;
    const images = POSITIONS.map((position) => ({
      ...{ module_type: 'tire', slot: { position, image_type: 'tread' } },
      source: { url: `https://images.example/measured/tread/${position}.jpg` },
    }));
    const body = { template: 'tire_4t_0s', images, external_vehicle_id: '7', callback_url: 'https://partner.example/hook' };
    const reportIds: string[] = [];
    for (const _ of [1, 2]) {
      const created = await shop.gateway.call('POST', '/reports', { key, body });
      const { report_id } = CreateReportResponse.parse(created.json);
      await eventually(async () => {
        const report = await shop.gateway.call('GET', `/reports/${report_id}`, { key });
        return Report.parse(report.json).analysis_status === 'complete';
      });
      reportIds.push(report_id);
    }
    // Other vehicles, whose ids begin alike.
    for (const digit of [0, 1, 2, 3, 4, 5]) {
      const created = await shop.gateway.call('POST', '/reports', { key, body: { ...body, external_vehicle_id: `7${digit}` } });
      expect(created.status).toBe(202);
    }
    const reportId = reportIds[1]!;
    await shop.support.call('PATCH', shop.at(reportId, '/visit'), { body: { ...shop.newPerson(), consent: CONSENT } });
    const answer = await eventually(async () => {
      const asked = await shop.plan(reportId, { reason: 'depth' });
      return asked.status === 201 && asked;
    });
    // A millimetre in seconds. The ledger has the clock of this machine, so the day is that of the passport.
    const found = await shop.support.call('GET', `/projects/${shop.projectId}/vehicles?search=7`);
    const [{ vehicle_id: vehicleId } = { vehicle_id: '' }] = VehicleList.parse(found.json).vehicles;
    const { wear } = VehiclePassport.parse((await shop.support.call('GET', `/projects/${shop.projectId}/vehicles/${vehicleId}`)).json);
    const days = wear.flatMap(({ reached }) => reached.filter(({ limit_mm }) => limit_mm === 3).map(({ earliest }) => earliest)).sort();
    const tomorrow = dayIn('Asia/Seoul', new Date(NOON.getTime() + 24 * HOUR_MS));
    const day = [dayIn('Asia/Seoul', new Date(days[0]!)), tomorrow].sort()[1];
    expect(Reminder.parse(answer.json)).toMatchObject({ reason: 'depth', state: 'planned', due_at: `${day}T01:00:00.000Z` });
  });
});

/* oxlint-disable max-lines -- one suite, so that its services start once */
import { CreateReportResponse, Report } from '@tire/contracts/api';
import {
  AuditLog,
  IssuedApiKey,
  MessageList,
  Project,
  Reminder,
  ReminderList,
  VehicleList,
  VehiclePassport,
} from '@tire/contracts/console';
import { dayIn, newId, POSITIONS } from '@tire/kernel';
import { becomes, eventually, testClock, type TestClock } from '@tire/test-harness';
import { digestOf } from '../identity/secrets';
import { MEASUREMENT } from '../testing/behind';
import { startShop } from '../testing/shop';
import { MessageSender } from '../messages/message.sender';
import { VisitRemoval } from '../visits/visit-removal';
import { ReminderRunner } from './reminder.runner';

const TIRES = POSITIONS.map((position) => ({ position, groove_depths_mm: [5, 4.8, 5.2], size: null }));
const CONSENT = { version: '2026-11', language: 'ko' };
/** Noon in Seoul. */
const NOON = new Date('2026-11-27T03:00:00Z');
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
  let shop: Awaited<ReturnType<typeof startShop>>;
  let clock: TestClock;
  let numbers = 0;
  let { gateway, mail, provider, owner, support, developer, stranger, organizationId, projectId } = {} as typeof shop;

  beforeAll(async () => {
    clock = testClock(NOON);
    shop = await startShop({ clock, treadOf });
    ({ gateway, mail, provider, owner, support, developer, stranger, organizationId, projectId } = shop);
  }, 120_000);
  afterAll(() => shop?.stop());
  afterEach(() => {
    mail.faults.refusal = null;
    clock.setTo(NOON);
  });

  const at = (reportId: string, path = '') => `/projects/${projectId}/reports/${reportId}${path}`;
  const newReport = async (): Promise<string> => {
    const { json } = await owner.call('POST', `/projects/${projectId}/manual-reports`, {
      body: { tires: TIRES, plate_number: '12가 3456' },
    });
    return CreateReportResponse.parse(json).report_id;
  };
  const newPerson = () => ({
    email: `customer-${newId()}@shop.example`,
    phone: `010-3000-${String((numbers += 1)).padStart(4, '0')}`,
  });
  const e164 = (phone: string) => `+82${phone.replaceAll('-', '').slice(1)}`;
  /** A report with a customer who agreed to messages. */
  const newCustomer = async (person = newPerson(), more: object = {}) => {
    const reportId = await newReport();
    await support.call('PATCH', at(reportId, '/visit'), { body: { name: '김민수', ...person, consent: CONSENT, ...more } });
    return { reportId, ...person };
  };
  const plan = (reportId: string, request: object = {}, by = support) =>
    by.call('POST', at(reportId, '/reminders'), { body: { reason: 'six_months', channel: 'email', consent: CONSENT, ...request } });
  const planned = async (reportId: string, request: object = {}): Promise<Reminder> => Reminder.parse((await plan(reportId, request)).json);
  const listed = async (reportId: string, by = support) =>
    ReminderList.parse((await by.call('GET', at(reportId, '/reminders'))).json).reminders;
  const messagesOf = async (reportId: string) =>
    MessageList.parse((await support.call('GET', at(reportId, '/messages'))).json).messages.map(({ kind, channel, state }) => ({
      ...{ kind, channel, state },
    }));
  const sql = (text: string, values: unknown[]) => gateway.database.systemQuery<Record<string, unknown>>(text, values);
  /** Months pass for this reminder only. */
  const comesDue = ({ reminder_id: id }: Reminder, dueAt = clock.now()) =>
    sql('UPDATE reminders SET due_at = $2, next_at = $2 WHERE reminder_id = $1 RETURNING reminder_id', [id, dueAt]);
  const run = () => gateway.part(ReminderRunner).sendDue();
  const linkIn = (text: string) => /https?:\/\/\S+\/s\/[\w-]{22}/.exec(text)![0];

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
    const { reportId, email } = await newCustomer();
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
    const { reportId, phone } = await newCustomer();
    await comesDue(await planned(reportId, { channel: 'sms' }));
    await run();
    const [text] = await provider.messagesTo(e164(phone));
    expect(text!.body.text).toMatch(/^\[한빛 타이어\] 김민수님, 12가 3456 타이어를 점검할 때가 되었습니다\. 02-123-4567\n수신거부 http/);
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

  it('goes out once where two runners look at once, and where a process died with it', async () => {
    const { reportId, email } = await newCustomer();
    const reminder = await planned(reportId);
    // Taken by a process that died: its lease is over.
    await comesDue(reminder, new Date(NOON.getTime() - 600_000));
    await Promise.all([run(), run(), run()]);
    await becomes(() => messagesOf(reportId), [{ kind: 'reminder', channel: 'email', state: 'sent' }]);
    expect(await mail.mailsTo(email)).toHaveLength(1);
  });

  describe('is stopped by the receiver', () => {
    const press = (link: string, body = 'List-Unsubscribe=One-Click') =>
      fetch(link, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    const sentTo = async (person = newPerson()) => {
      const customer = await newCustomer(person);
      await comesDue(await planned(customer.reportId));
      await run();
      const received = await mail.mailsTo(customer.email);
      return { ...customer, link: linkIn(received.at(-1)!.text) };
    };

    it('with one press, without a sign-in, also what waits and what other reports planned', async () => {
      const { link, ...person } = await sentTo();
      const { email, phone } = person;
      const again = await newCustomer({ email, phone });
      const { reminder_id: id } = await planned(again.reportId);
      await sql(`UPDATE reminders SET reason = 'depth' WHERE reminder_id = $1 RETURNING reminder_id`, [id]);
      await planned(again.reportId, { channel: 'sms' });
      const waiting = await newCustomer({ email, phone });
      mail.faults.refusal = { at: 'receiver', code: 451 };
      await comesDue(await planned(waiting.reportId));
      await run();
      await becomes(() => messagesOf(waiting.reportId), [{ kind: 'reminder', channel: 'email', state: 'queued' }]);
      const other = await newCustomer();
      await planned(other.reportId);

      const look = await fetch(link, { headers: { 'accept-language': 'ko' } });
      expect(await look.text()).toContain('<button type="submit">알림 받지 않기</button>');
      expect(look.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect((await listed(again.reportId)).map(({ state }) => state)).toEqual(['planned', 'planned']);

      const pressed = await press(link);
      expect([pressed.status, await pressed.text()]).toEqual([200, expect.stringContaining('알림을 중지했습니다')]);
      const stopped = { state: 'stopped', because: 'receiver' };
      expect(await listed(again.reportId)).toMatchObject([stopped, stopped]);
      expect(await messagesOf(waiting.reportId)).toEqual([{ kind: 'reminder', channel: 'email', state: 'stopped' }]);
      expect(await listed(other.reportId)).toMatchObject([{ state: 'planned' }]);
      expect((await press(link)).status).toBe(200);
    });

    it('from the form of the page and from mail programs, and an unknown link tells nothing', async () => {
      const { link } = await sentTo();
      const unknown = link.replace(/[\w-]{22}$/, 'A'.repeat(22));
      for (const each of [unknown, `${link}x`, link]) {
        expect((await fetch(each)).status).toBe(200);
        const form = new FormData();
        form.set('List-Unsubscribe', 'One-Click');
        const answers = [await press(each), await press(each, ''), await fetch(each, { method: 'POST', body: form })];
        for (const answer of answers)
          expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('알림을 중지했습니다')]);
      }
    });
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

import { CreateReportResponse } from '@tire/contracts/api';
import { AuditLog, Branch, MessageList, MessagePreview, MessageTemplates, Project, SentMessage } from '@tire/contracts/console';
import { newId } from '@tire/kernel';
import { Database } from '@tire/platform';
import { becomes, eventually, freePort, startMailServer, startSmsProvider, testClock, type TestClock } from '@tire/test-harness';
import { startBehind } from '../testing/behind';
import { Browser, invited, newOrganization } from '../testing/browser';
import { startGateway } from '../testing/gateway';
import { MessageSender } from './message.sender';
import { Messages } from './messages';

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'] as const;
const TIRES = POSITIONS.map((position) => ({ position, groove_depths_mm: [5, 4.8, 5.2], size: null }));
const CONSENT = { version: '2026-11', language: 'ko' };

/** Ledger, content and share as they run in production, and a mail server. */
describe('sending a report to its customer', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let server: Awaited<ReturnType<typeof startMailServer>>;
  let provider: Awaited<ReturnType<typeof startSmsProvider>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let clock: TestClock;
  let owner: Browser;
  let support: Browser;
  let developer: Browser;
  let stranger: Browser;
  let organizationId: string;
  let projectId: string;

  beforeAll(async () => {
    const port = await freePort();
    clock = testClock(new Date());
    server = await startMailServer();
    provider = await startSmsProvider();
    behind = await startBehind(`http://127.0.0.1:${port}/api/v1`);
    const environment = {
      ...{ SMTP_HOST: '127.0.0.1', SMTP_PORT: server.port, SMTP_TLS: 'none', SMTP_FROM: 'mail@shop.example' },
      ...provider.environment,
    };
    gateway = await startGateway({ port, addresses: behind.addresses, environment, clock });
    [owner, support, developer, stranger] = [1, 2, 3, 4].map((last) => new Browser(gateway.origin, `192.0.2.${last}`)) as [
      Browser,
      Browser,
      Browser,
      Browser,
    ];
    const made = await newOrganization(gateway.databaseUrl);
    organizationId = made.organizationId;
    await owner.signIn(made.email);
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
    await invited(owner, support, organizationId, 'support', `${newId()}@shop.example`);
    await invited(owner, developer, organizationId, 'developer', `${newId()}@shop.example`);
    const created = await owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'Live', mode: 'live' } });
    projectId = Project.parse(created.json).project_id;
    await owner.call('PATCH', `/projects/${projectId}/partner`, { body: { name: '한빛 타이어', phone: '02-123-4567' } });
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    await behind?.stop();
    await server?.stop();
    await provider?.stop();
  });
  afterEach(() => {
    server.faults.refusal = null;
    provider.faults.answer = null;
  });

  const reportPath = (reportId: string) => `/projects/${projectId}/reports/${reportId}`;
  /** Its share page is open. */
  const newReport = async (more: object = {}): Promise<string> => {
    const { json } = await owner.call('POST', `/projects/${projectId}/manual-reports`, {
      body: { tires: TIRES, plate_number: '12가 3456', ...more },
    });
    const { report_id } = CreateReportResponse.parse(json);
    await eventually(async () => {
      const share = await owner.call('GET', `${reportPath(report_id)}/share`);
      return (share.json as { status: string }).status === 'active';
    });
    return report_id;
  };
  const newCustomer = async (reportId: string, body: object = {}) => {
    const email = `customer-${newId()}@shop.example`;
    await support.call('PATCH', `${reportPath(reportId)}/visit`, { body: { name: '김민수', email, consent: CONSENT, ...body } });
    return email;
  };
  const send = (reportId: string, by = support, language = 'ko') =>
    by.call('POST', `${reportPath(reportId)}/messages`, { body: { language } });
  const sendText = (reportId: string, by = support, language = 'ko') =>
    by.call('POST', `${reportPath(reportId)}/messages`, { body: { language, channel: 'sms' } });
  let numbers = 0;
  const newNumber = () => `010-2000-${String((numbers += 1)).padStart(4, '0')}`;
  /** A message that is under way is not recalled. */
  const attemptsEnd = (reportIds: readonly string[]) =>
    eventually(async () => {
      const sql = `SELECT FROM messages WHERE report_id = ANY($1::uuid[]) AND attempts > 0 AND NOT under_way`;
      return (await gateway.part(Database).systemQuery(sql, [reportIds])).length >= reportIds.length;
    });
  const listed = async (reportId: string, by = support) =>
    MessageList.parse((await by.call('GET', `${reportPath(reportId)}/messages`)).json).messages;

  it('brings the customer the link of the share page in the text of the project, and the log its state', async () => {
    const reportId = await newReport();
    const email = await newCustomer(reportId);
    const { status, json } = await send(reportId);
    expect([status, SentMessage.parse(json).receiver]).toEqual([201, 'c***@shop.example']);
    const [mail] = await server.mailsTo(email);
    expect(mail!.subject).toBe('[한빛 타이어] 12가 3456 타이어 점검 결과');
    expect(mail!.text).toMatch(/김민수님.*https:\/\/share\.example\/r\/[\w-]{16,}.*02-123-4567/s);
    await becomes(
      () => listed(reportId, developer),
      [expect.objectContaining({ state: 'sent', failure: null, attempts: 1, receiver: 'c***@shop.example', sent_by: 'A support' })],
    );
    const { entries } = AuditLog.parse((await owner.call('GET', `/organizations/${organizationId}/audit-log`)).json);
    const sent = entries.filter(({ action }) => action === 'report.sent');
    expect(sent).toMatchObject([{ subject: reportId, details: { channel: 'email', language: 'ko' } }]);
    await send(reportId, owner, 'en');
    const [, english] = await server.mailsTo(email, 2);
    expect(english!.subject).toBe('[한빛 타이어] Tire inspection of 12가 3456');
  });

  it.each([
    ['consent', {}, { consent: null }],
    ['email', {}, { email: null }],
    ['consent', null, {}],
  ])('is refused without %s', async (param, customer, change) => {
    const reportId = await newReport();
    if (customer) await newCustomer(reportId);
    await support.call('PATCH', `${reportPath(reportId)}/visit`, { body: change });
    expect((await send(reportId)).error).toMatchObject({ code: 'conflict', param });
    expect(await listed(reportId)).toEqual([]);
  });

  it('names the branch that made the inspection with its place, and the phone number of the project where the branch has none', async () => {
    const body = { name: '한빛 타이어 강남점', address: '서울 강남구 테헤란로 1', opening_hours: '평일 9~19시\n토요일 9~15시' };
    const created = await owner.call('POST', `/projects/${projectId}/branches`, { body });
    const reportId = await newReport({ branch_id: Branch.parse(created.json).branch_id });
    const email = await newCustomer(reportId);
    expect((await send(reportId)).status).toBe(201);
    const [mail] = await server.mailsTo(email);
    expect(mail!.subject).toBe('[한빛 타이어 강남점] 12가 3456 타이어 점검 결과');
    expect(mail!.text).toMatch(/\n한빛 타이어 강남점\r?\n02-123-4567\r?\n서울 강남구 테헤란로 1\r?\n평일 9~19시, 토요일 9~15시\s*$/);
  });

  it('brings the link by text message too, with the id of the provider in the log', async () => {
    const reportId = await newReport();
    const phone = newNumber();
    await newCustomer(reportId, { phone });
    const { status, json } = await sendText(reportId);
    expect([status, SentMessage.parse(json)]).toMatchObject([201, { channel: 'sms', receiver: `010-****-${phone.slice(-4)}` }]);
    const [text] = await provider.messagesTo(`+82${phone.replaceAll('-', '').slice(1)}`);
    expect(text!.body.text).toMatch(
      /^\[한빛 타이어\] 김민수님, 12가 3456 타이어 점검 결과입니다\.\nhttps:\/\/share\.example\/r\/\S+\n02-123-4567$/,
    );
    await becomes(
      () => listed(reportId, developer),
      [expect.objectContaining({ channel: 'sms', state: 'sent', reference: expect.stringMatching(/^r-\d+$/) })],
    );
    const { channels } = MessageList.parse((await support.call('GET', `${reportPath(reportId)}/messages`)).json);
    expect(channels).toEqual(['email', 'sms']);
  });

  it.each([
    ['consent', { phone: '010-2222-3333', consent: null }],
    ['phone', { phone: null }],
    ['phone', { phone: '02-123-4567' }],
  ])('is refused by text message without %s (%j)', async (param, customer) => {
    const reportId = await newReport();
    await newCustomer(reportId, customer);
    expect((await sendText(reportId)).error).toMatchObject({ code: 'conflict', param });
    expect(await listed(reportId)).toEqual([]);
  });

  it('waits once on each channel, and a new number stops the text message only', async () => {
    server.faults.refusal = { at: 'receiver', code: 451 };
    provider.faults.answer = { status: 503 };
    const reportId = await newReport();
    await newCustomer(reportId, { phone: newNumber() });
    for (const attempt of [send, sendText]) {
      expect((await attempt(reportId)).status).toBe(201);
      expect((await attempt(reportId)).error).toMatchObject({ code: 'conflict', param: 'message' });
    }
    await support.call('PATCH', `${reportPath(reportId)}/visit`, { body: { phone: newNumber() } });
    expect(await listed(reportId)).toMatchObject([
      { channel: 'sms', state: 'stopped' },
      { channel: 'email', state: 'queued' },
    ]);
    await support.call('PATCH', `${reportPath(reportId)}/visit`, { body: { consent: null } });
    expect((await listed(reportId)).map(({ state }) => state)).toEqual(['stopped', 'stopped']);
  });

  it('is refused while the share page is closed', async () => {
    const reportId = await newReport();
    await newCustomer(reportId);
    await owner.call('DELETE', `${reportPath(reportId)}/share`);
    expect((await send(reportId)).error).toMatchObject({ code: 'conflict', param: 'share' });
  });

  it('is for the roles of the counter, and for members only', async () => {
    const reportId = await newReport();
    await newCustomer(reportId);
    expect((await send(reportId, developer)).status).toBe(403);
    expect((await send(reportId, stranger)).status).toBe(404);
    expect((await stranger.call('GET', `${reportPath(reportId)}/messages`)).status).toBe(404);
    expect([(await send(newId())).status, (await owner.call('GET', `${reportPath(newId())}/messages`)).status]).toEqual([404, 404]);
  });

  it('waits once at most, and stops when the customer withdraws the consent, gets another address or is removed', async () => {
    server.faults.refusal = { at: 'receiver', code: 451 };
    const [one, other, moved] = [await newReport(), await newReport(), await newReport()];
    const emails = [await newCustomer(one), await newCustomer(other), await newCustomer(moved)];
    for (const reportId of [one, other, moved]) {
      expect((await send(reportId)).status).toBe(201);
      expect((await send(reportId)).error).toMatchObject({ code: 'conflict', param: 'message' });
    }
    await attemptsEnd([one, other, moved]);
    await support.call('PATCH', `${reportPath(one)}/visit`, { body: { consent: null } });
    expect(await listed(one)).toMatchObject([{ state: 'stopped', receiver: 'c***@shop.example' }]);
    await support.call('DELETE', `${reportPath(other)}/visit`);
    expect(await listed(other)).toMatchObject([{ state: 'stopped', receiver: null }]);
    await support.call('PATCH', `${reportPath(moved)}/visit`, { body: { name: '김영희', email: emails[2] } });
    expect(await listed(moved)).toMatchObject([{ state: 'queued' }]);
    const newEmail = `customer-${newId()}@shop.example`;
    await support.call('PATCH', `${reportPath(moved)}/visit`, { body: { email: newEmail } });
    expect(await listed(moved)).toMatchObject([{ state: 'stopped' }]);
    server.faults.refusal = null;
    // After the pause of every message that was refused. One that is sent then shows that the sender has looked.
    clock.advanceMs(60_001);
    expect((await send(moved)).status).toBe(201);
    gateway.part(MessageSender).nudge();
    await server.mailsTo(newEmail);
    await becomes(() => listed(moved), [expect.objectContaining({ state: 'sent' }), expect.objectContaining({ state: 'stopped' })]);
    expect(server.received.filter(({ to }) => to.some((address) => emails.includes(address)))).toEqual([]);
    const kept = await gateway
      .part(Database)
      .systemQuery('SELECT 1 FROM messages WHERE report_id = $1 AND num_nonnulls(receiver, content) > 0', [other]);
    expect(kept).toEqual([]);
  });

  it('stops also where it was written while the customer was removed', async () => {
    server.faults.refusal = { at: 'receiver', code: 451 };
    const reportId = await newReport();
    const to = await newCustomer(reportId);
    const database = gateway.part(Database);
    const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const removal = await database.withProject(projectId, async (tx) => {
      await tx.rows('SELECT FROM visits WHERE project_id = $1 AND report_id = $2 FOR UPDATE', [projectId, reportId]);
      const removing = support.call('DELETE', `${reportPath(reportId)}/visit`);
      await eventually(async () => (await database.systemQuery(WAITING)).length > 0);
      const expiresAt = new Date(clock.now().getTime() + 60_000);
      const about = { owner: projectId, projectId, reportId, kind: 'report', channel: 'email' } as const;
      await gateway.part(Messages).add(tx, { ...about, to, subject: 's', text: 't', expiresAt });
      return { removing };
    });
    expect((await removal.removing).status).toBe(204);
    expect(await listed(reportId)).toMatchObject([{ state: 'stopped', receiver: null }]);
  });

  it('one receiver gets five messages an hour', async () => {
    const reportId = await newReport();
    const email = await newCustomer(reportId);
    for (let count = 1; count <= 5; count += 1) {
      expect((await send(reportId)).status).toBe(201);
      await server.mailsTo(email, count);
      await eventually(async () => (await listed(reportId)).every(({ state }) => state === 'sent'));
    }
    expect((await send(reportId)).status).toBe(429);
  });

  describe('in a text of the project', () => {
    const path = () => `/projects/${projectId}/message-templates`;
    const change = (template: object | null, by = owner) => by.call('PATCH', path(), { body: { language: 'en', template } });

    it('which is previewed, changed, and the default again', async () => {
      const draft = { subject: 'Hello {{name}}', text: 'Look: {{link}}' };
      const preview = await owner.call('POST', `${path()}/preview`, { body: { language: 'en', ...draft } });
      const { subject, text } = MessagePreview.parse(preview.json);
      expect(subject).toBe('Hello Kim Minsu');
      expect(text).toMatch(/^Look: https?:\/\/[^/]+\/r\/[\w-]{43}$/);
      const { templates } = MessageTemplates.parse((await change(draft)).json);
      expect(templates.map(({ purpose, language, is_default }) => [purpose, language, is_default])).toEqual([
        ['report_email', 'ko', true],
        ['report_email', 'en', false],
        ...['report_sms', 'reminder_email', 'reminder_sms'].flatMap((purpose) => [
          [purpose, 'ko', true],
          [purpose, 'en', true],
        ]),
      ]);
      const reportId = await newReport();
      const email = await newCustomer(reportId, { name: '{{link}} evil.example\r\nBcc: x@y.example' });
      await send(reportId, support, 'en');
      const [mail] = await server.mailsTo(email);
      expect(mail!.subject).toBe('Hello {{link}} evil·example Bcc: x@y·example');
      expect([mail!.to, mail!.raw.match(/^Bcc:/im)]).toEqual([[email], null]);
      expect(MessageTemplates.parse((await change(null)).json).templates.every(({ is_default }) => is_default)).toBe(true);
    });

    it('for text messages, without a subject and not longer than one may be', async () => {
      const changeSms = (template: object | null) =>
        owner.call('PATCH', path(), { body: { purpose: 'report_sms', language: 'ko', template } });
      expect((await changeSms({ subject: 's', text: '{{link}}' })).error).toMatchObject({ param: 'template.subject' });
      expect((await changeSms({ text: '{{name}} {{link}}' })).status).toBe(200);
      const reportId = await newReport();
      const phone = newNumber();
      await newCustomer(reportId, { phone, name: '김민수\r\nhttps://evil.example' });
      expect((await sendText(reportId)).status).toBe(201);
      const [text] = await provider.messagesTo(`+82${phone.replaceAll('-', '').slice(1)}`);
      expect(text!.body.text).toMatch(/^김민수 https evil·example https:\/\/share\.example\/r\/\S+$/);
      await eventually(async () => (await listed(reportId)).every(({ state }) => state === 'sent'));
      const tooLong = await changeSms({ text: `${'{{name}}'.repeat(100)}{{link}}` });
      expect(tooLong.error).toMatchObject({ code: 'validation_error', param: 'template.text' });
      await changeSms(null);
    });

    it('which is refused if it names what it must not', async () => {
      expect((await change({ subject: 'a', text: 'no link' })).error).toMatchObject({ code: 'validation_error', param: 'template.text' });
      expect((await change({ subject: 'a {{secret}}', text: '{{link}}' })).error).toMatchObject({ param: 'template.subject' });
      expect((await change({ subject: 'x'.repeat(101), text: '{{link}}' })).error).toMatchObject({ code: 'validation_error' });
      expect((await change({ subject: 'a', text: '{{link}}' }, developer)).status).toBe(403);
      expect((await support.call('GET', path())).status).toBe(403);
      expect((await stranger.call('GET', path())).status).toBe(404);
    });
  });
});

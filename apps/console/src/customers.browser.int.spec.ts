import type { MessageList, Reminder, ReportDetail, VisitAnswer } from '@tire/contracts/console';
import { reportExample } from '@tire/contracts/openapi';
import { becomes, describeWithBrowser, startMailServer, type Visitor } from '@tire/test-harness';
import { walks } from './testing/walks.fixture';

const REPORT = { ...reportExample, publication_status: 'published' as const };
const AT = '2026-11-27T01:00:00.000Z';
const VISIT: VisitAnswer['visit'] = {
  report_id: REPORT.report_id,
  name: '김*수',
  phone: '010-****-5678',
  email: 'k***@shop.example',
  has_note: true,
  advisor: null,
  consent: { version: '2026-11', language: 'ko', at: AT, recorded_by: '이상담' },
  updated_at: AT,
};
const message = (given: Partial<MessageList['messages'][number]>): MessageList['messages'][number] => ({
  ...{
    message_id: crypto.randomUUID(),
    kind: 'report',
    channel: 'email',
    reference: null,
    state: 'sent',
    failure: null,
    attempts: 1,
    receiver: 'k***@shop.example',
    sent_by: '이상담',
  },
  ...{ created_at: AT, ended_at: AT },
  ...given,
});

describeWithBrowser('messages to customers, in a browser', () => {
  let mail: Awaited<ReturnType<typeof startMailServer>>;

  beforeAll(async () => {
    mail = await startMailServer();
  });
  afterAll(() => mail?.stop());

  const { owner, newProject, newVisitor, origin, checkPage, expectErrors } = walks(() => ({
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(mail.port),
    SMTP_TLS: 'none',
    SMTP_FROM: 'Tires <mail@shop.example>',
  }));

  const dialog = ({ tab }: Visitor) => tab.getByRole('dialog');

  /** No ledger runs here. The test supplies the report, its share page, its customer and the messages. */
  const withReport = async (visitor: Visitor, project: string, visit: VisitAnswer['visit'], messages: () => MessageList['messages']) => {
    const path = `/console/api/.*/reports/${REPORT.report_id}`;
    const give = (below: string, json: () => object) =>
      visitor.tab.route(new RegExp(`${path}${below}$`), (route) =>
        route.request().method() === 'GET' ? route.fulfill({ json: json() }) : route.fallback(),
      );
    const detail = {
      report: REPORT,
      trace_id: '0'.repeat(32),
      history: [],
      work: { standing: 'good', attention: 'read', handled: null, result: 'good/1/1' },
    } satisfies ReportDetail;
    await give('', () => detail);
    await give('/visit', () => ({ visit, advisors: [] }));
    await give('/messages', () => ({ channels: ['email', 'sms'], messages: messages() }));
    await give('/share', () => ({
      ...{ report_id: REPORT.report_id, status: 'active', share_url: 'https://share.example/r/token' },
      ...{ expires_at: null, revoked_at: null, created_at: AT },
    }));
    await visitor.tab.addInitScript(`navigator.share = (data) => { window.shared = data; return Promise.resolve(); }`);
    await visitor.open(`${project}/reports/${REPORT.report_id}`);
  };

  it.each([
    {
      ...{ locale: 'en', title: 'Send to the customer', share: 'Share', waits: 'Waits' },
      ...{ byMail: 'Send by e-mail', refused: 'The mail server refused it. Check the address.' },
      ...{ byText: 'Send by text message', lost: 'The provider did not answer. It may have arrived.' },
    },
    {
      ...{ locale: 'ko', title: '고객에게 보내기', share: '공유', waits: '대기' },
      ...{ byMail: '이메일로 보내기', refused: '메일 서버가 거부했습니다. 주소를 확인해 주세요.' },
      ...{ byText: '문자로 보내기', lost: '발송 업체의 응답이 없습니다. 도착했을 수도 있습니다.' },
    },
  ])(
    'the report goes by the share sheet, e-mail and text message, and the page shows what became of it ($locale)',
    async ({ locale, title, share, byMail, byText, waits, refused, lost }) => {
      expectErrors(503);
      const visitor = await owner(`Sora${locale}`);
      const project = await newProject(visitor, 'Sending');
      await visitor.tab.evaluate(`localStorage.setItem('console-language', '${locale}')`);
      let messages = [
        message({ state: 'failed', failure: 'refused' }),
        message({ channel: 'sms', receiver: VISIT.phone, state: 'failed', failure: 'interrupted' }),
        message({ channel: 'sms', receiver: VISIT.phone, reference: 'r-4711' }),
      ];
      await withReport(visitor, project, VISIT, () => messages);
      let sent: unknown;
      await visitor.tab.route(new RegExp(`/console/api/.*/reports/${REPORT.report_id}/messages$`), (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        sent = route.request().postDataJSON();
        messages = [message({ state: 'queued', attempts: 0, ended_at: null }), ...messages];
        return route.fulfill({ status: 201, json: messages[0] });
      });
      const section = visitor.tab.locator('section').filter({ has: visitor.heading(title) });
      for (const words of [refused, lost, /r-4711/]) await section.getByText(words).waitFor();
      await visitor.button(share).click();
      await becomes(() => visitor.tab.evaluate('window.shared?.url'), 'https://share.example/r/token');
      await section.getByRole('button', { name: byMail, exact: true }).click();
      await checkPage(visitor, `send-ask-${locale}`);
      await dialog(visitor).getByRole('button', { name: byMail, exact: true }).click();
      await section.getByText(waits, { exact: true }).waitFor();
      expect(sent).toEqual({ channel: 'email', language: 'ko' });
      await section.getByRole('button', { name: byText, exact: true }).click();
      await dialog(visitor).getByText(VISIT.phone!).waitFor();
      await checkPage(visitor, `send-ask-text-${locale}`);
      await dialog(visitor).getByRole('button', { name: byText, exact: true }).click();
      await becomes(() => sent, { channel: 'sms', language: 'ko' });
      await checkPage(visitor, `send-${locale}`);
    },
  );

  it.each([
    {
      ...{
        locale: 'en',
        plan: 'Plan a reminder',
        when: 'When',
        depth: 'When a tread comes near 3.0 mm',
        agrees: 'The customer agrees to the reminder',
      },
      ...{ noEstimate: 'The wear cannot be estimated yet.', planned: 'Planned', stop: 'Stop', stopped: 'The shop stopped it.' },
      ...{ queued: 'Waits to be sent', sentAlready: 'It was sent already, so it cannot be stopped.' },
    },
    {
      ...{
        locale: 'ko',
        plan: '알림 예약',
        when: '알림 시점',
        depth: '트레드 깊이가 3.0mm에 가까워질 때',
        agrees: '고객이 알림에 동의했습니다',
      },
      ...{ noEstimate: '아직 마모를 예측할 수 없습니다.', planned: '예약됨', stop: '알림 중지', stopped: '정비소에서 중지했습니다.' },
      ...{ queued: '발송 대기', sentAlready: '이미 보낸 알림이라 중지할 수 없습니다.' },
    },
  ])('a reminder is planned with a consent of its own, and stopped ($locale)', async ({ locale, plan, when, depth, agrees, ...words }) => {
    expectErrors(503, 409);
    const visitor = await owner(`Yuna${locale}`);
    const project = await newProject(visitor, 'Reminding');
    await visitor.tab.evaluate(`localStorage.setItem('console-language', '${locale}')`);
    let reminders: Reminder[] = [];
    let isTooLate = false;
    const requests: unknown[] = [];
    await visitor.tab.route(new RegExp(`/console/api/.*/reports/${REPORT.report_id}/reminders`), (route) => {
      if (route.request().method() === 'GET') return route.fulfill({ json: { reminders, stops: [{ channel: 'email', at: AT }] } });
      if (route.request().method() === 'DELETE') {
        if (isTooLate) {
          const error = { code: 'conflict', message: 'It was sent.', param: 'reminder', request_id: 'r', details: [] };
          return route.fulfill({ status: 409, json: { error } });
        }
        reminders = reminders.map((each) => ({ ...each, state: 'stopped', because: 'shop', is_queued: false, ended_at: AT }));
        return route.fulfill({ status: 204 });
      }
      const request = route.request().postDataJSON() as Pick<Reminder, 'reason' | 'channel'>;
      requests.push(request);
      if (request.reason === 'depth') {
        const error = { code: 'conflict', message: 'No estimate.', param: 'depth', request_id: 'r', details: [] };
        return route.fulfill({ status: 409, json: { error } });
      }
      const consent = { version: '2026-11', language: 'ko', at: AT, recorded_by: '이상담' } as const;
      const common = {
        reminder_id: REPORT.report_id,
        state: 'planned',
        because: null,
        is_queued: false,
        due_at: AT,
        ended_at: null,
      } as const;
      reminders = [{ ...common, reason: request.reason, channel: request.channel, consent }];
      return route.fulfill({ status: 201, json: reminders[0] });
    });
    await withReport(visitor, project, VISIT, () => []);
    await visitor.button(plan).click();
    await dialog(visitor).getByLabel(when).selectOption({ label: depth });
    await dialog(visitor).getByLabel(agrees).check();
    await checkPage(visitor, `reminder-plan-${locale}`);
    await dialog(visitor).getByRole('button', { name: plan, exact: true }).click();
    await dialog(visitor).getByText(words.noEstimate).waitFor();
    await dialog(visitor).getByLabel(when).selectOption('six_months');
    await dialog(visitor).getByRole('button', { name: plan, exact: true }).click();
    await visitor.tab.getByText(words.planned, { exact: true }).waitFor();
    expect(requests.at(-1)).toEqual({
      reason: 'six_months',
      channel: 'email',
      consent: { version: '2026-11', language: VISIT.consent?.language },
    });
    const stop = async () => {
      await visitor.button(words.stop).click();
      await dialog(visitor).getByRole('button', { name: words.stop, exact: true }).click();
    };
    reminders = reminders.map((each) => ({ ...each, state: 'sent', is_queued: true, ended_at: AT }));
    await visitor.tab.reload();
    await visitor.tab.getByText(words.queued, { exact: true }).waitFor();
    isTooLate = true;
    await stop();
    await dialog(visitor).getByText(words.sentAlready).waitFor();
    await checkPage(visitor, `reminder-sent-${locale}`);
    await visitor.tab.keyboard.press('Escape');
    isTooLate = false;
    await stop();
    await visitor.tab.getByText(words.stopped).waitFor();
    await checkPage(visitor, `reminders-${locale}`);
  });

  it.each([
    ['en-GB', 'Stop reminders', 'Reminders are stopped'],
    ['ko-KR', '알림 받지 않기', '알림을 중지했습니다'],
  ])('the page that stops reminders has one button (%s)', async (locale, submit, done) => {
    const visitor = await newVisitor(locale);
    await visitor.tab.goto(`${origin()}/s/${'A'.repeat(22)}`);
    await checkPage(visitor, `stop-${locale}`);
    await visitor.tab.getByRole('button', { name: submit }).click();
    await visitor.heading(done).waitFor();
    await checkPage(visitor, `stopped-${locale}`);
  });

  it('says what is missing where the customer gave no address or no consent', async () => {
    expectErrors(503);
    const visitor = await owner('Tara');
    const project = await newProject(visitor, 'Missing');
    await withReport(visitor, project, { ...VISIT, consent: null }, () => []);
    for (const channel of ['e-mail', 'a text message'])
      await visitor.tab.getByText(`For ${channel}, record the consent of the customer first.`).waitFor();
    await becomes(() => visitor.button('Send by e-mail').count(), 0);
  });

  it('a text for customers is previewed, saved, and the default again', async () => {
    expectErrors(503, 422);
    const visitor = await owner('Ulla');
    const project = await newProject(visitor, 'Texts');
    // No share service runs here.
    await visitor.tab.route(/\/console\/api\/.*\/partner$/, (route) => route.fulfill({ json: { name: null, phone: null, logo: null } }));
    await visitor.open(`${project}/share-page`);
    await visitor.heading('Message to customers').waitFor();
    await checkPage(visitor, 'templates');
    await visitor.button('Change: E-mail, English').click();
    await dialog(visitor).getByLabel('Text', { exact: true }).fill('Hello {{name}}');
    await dialog(visitor).getByRole('button', { name: 'Preview' }).click();
    await dialog(visitor).getByText('The text must have {{link}}').waitFor();
    await dialog(visitor).getByLabel('Text', { exact: true }).fill('Hello {{name}}: {{link}}');
    await dialog(visitor).getByRole('button', { name: 'Preview' }).click();
    await dialog(visitor)
      .getByText(`Hello Kim Minsu: ${new URL(visitor.tab.url()).origin}/r/`)
      .waitFor();
    await checkPage(visitor, 'template-preview');
    await dialog(visitor).getByRole('button', { name: 'Save' }).click();
    await visitor.tab.getByText('Hello {{name}}: {{link}}').waitFor();
    await visitor.button('Use the default: E-mail, English').click();
    await dialog(visitor).getByRole('button', { name: 'Use the default: E-mail, English' }).click();
    await becomes(() => visitor.tab.getByText('Hello {{name}}').count(), 0);

    await visitor.button('Change: Text message, Korean').click();
    await dialog(visitor).getByLabel('Text', { exact: true }).fill('{{name}}님 점검 결과 {{link}}');
    await dialog(visitor).getByRole('button', { name: 'Preview' }).click();
    const bytes = 19 + `${new URL(visitor.tab.url()).origin}/r/`.length + 43;
    await dialog(visitor).getByText(`${bytes} bytes: one short message (SMS, at most 90).`).waitFor();
    await dialog(visitor)
      .getByLabel('Text', { exact: true })
      .fill(`{{link}} ${'가'.repeat(50)}`);
    await dialog(visitor).getByRole('button', { name: 'Preview' }).click();
    await dialog(visitor).getByText('a long message (LMS; an SMS has at most 90).').waitFor();
    await checkPage(visitor, 'template-text-message');
  });
});

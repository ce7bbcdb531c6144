import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { becomes, describeWithBrowser, eventually, type Visitor } from '@tire/test-harness';
import { Webhook } from 'standardwebhooks';
import { openReceiver } from '../publication/callback-receiver';
import { atTheShop, dayInSeoul } from './console-shop';
import { settled, sidewall, TREADS, uploaded, freshTargets, put, registration, tread, reportThat } from '../reports/reports';
import { imageOf } from '../images/sample-images';

const HOSTILE = `<script>alert(1)</script><img src=x onerror="alert('answer')">\u202e안 됨`;

describeWithBrowser('a project for developers in the console', () => {
  const { shop, checkPage, expectErrors } = atTheShop();
  let receiver: Awaited<ReturnType<typeof openReceiver>>;

  beforeAll(async () => {
    receiver = await openReceiver();
  });
  afterAll(() => receiver?.close());

  async function at(part: string, path = shop().path): Promise<Visitor> {
    const visitor = await shop().owner();
    await visitor.open(`${path}/${part}`);
    return visitor;
  }

  async function sendTest(visitor: Visitor, url: string): Promise<void> {
    await visitor.button('Send a test event').click();
    await visitor.fill('Address', url);
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    // Not the heading of the dialog.
    await visitor.heading(/^Test event$/).waitFor();
  }

  const dialog = (visitor: Visitor) => visitor.tab.getByRole('dialog');

  async function newSecret(visitor: Visitor): Promise<string> {
    await visitor.heading('Your new signing secret').waitFor();
    const secret = await dialog(visitor).getByRole('textbox', { name: 'Signing secret' }).innerText();
    expect(secret).toMatch(/^whsec_/);
    return secret;
  }

  it('the signing secret is shown once; after a rotation both secrets sign during the overlap', async () => {
    // A project without a secret, also for a repeated test.
    const { projectId, path } = await shop().newProject();
    const visitor = await at('webhooks', path);
    await visitor.tab.getByText('No secret yet').waitFor();
    await visitor.tab.getByText('Nothing has been sent yet').waitFor();
    await checkPage(visitor, 'webhooks-empty');
    await visitor.button('Create the secret').click();
    await dialog(visitor).getByRole('button', { name: 'Create the secret' }).click();
    const first = await newSecret(visitor);
    await checkPage(visitor, 'webhook-secret');
    await visitor.button('I have copied it').click();
    await visitor.button('Rotate the secret').click();
    await dialog(visitor).getByText('two signatures').waitFor();
    await checkPage(visitor, 'webhook-rotate');
    await dialog(visitor).getByRole('button', { name: 'Rotate the secret' }).click();
    const second = await newSecret(visitor);
    await visitor.button('I have copied it').click();
    await visitor.tab.getByText('Still in use', { exact: true }).waitFor();
    await sendTest(visitor, `${receiver.origin}/rotated/${projectId}`);
    const [call] = await receiver.callsTo(`/rotated/${projectId}`);
    for (const secret of [first, second])
      expect(new Webhook(secret).verify(call!.body, call!.headers as Record<string, string>)).toMatchObject({ type: 'callback.test' });
    await visitor.follow('API', 'Webhooks');
    await becomes(() => visitor.tab.getByText(second).count(), 0);
    await visitor.button('Rotate the secret').click();
    await dialog(visitor).getByRole('radio', { name: 'Not at all (the secret has leaked)' }).check();
    await dialog(visitor).getByRole('button', { name: 'Rotate the secret' }).click();
    const third = await newSecret(visitor);
    await visitor.button('I have copied it').click();
    await sendTest(visitor, `${receiver.origin}/leaked/${projectId}`);
    const [last] = await receiver.callsTo(`/leaked/${projectId}`);
    const headers = last!.headers as Record<string, string>;
    expect(new Webhook(third).verify(last!.body, headers)).toBeTruthy();
    for (const secret of [first, second]) expect(() => new Webhook(secret).verify(last!.body, headers)).toThrow();
  });

  it('a delivery shows every attempt and its response as text, and can be sent again', async () => {
    const hostile = `/hostile/${randomUUID()}`;
    receiver.answers.set(hostile, { status: 500, body: HOSTILE + 'x'.repeat(2_000) });
    const visitor = await at('webhooks', (await shop().newProject()).path);
    const alerts: string[] = [];
    visitor.tab.on('dialog', (shown) => void (alerts.push(shown.message()), shown.dismiss()));
    await sendTest(visitor, `${receiver.origin}${hostile}`);
    const answers = visitor.tab.getByRole('region', { name: /^Response to attempt/ });
    await answers.waitFor();
    await visitor.tab.getByText('Given up', { exact: true }).waitFor();
    await becomes(() => answers.innerText(), expect.stringContaining(HOSTILE.replace('\u202e', '⟨202E⟩')));
    expect(await visitor.tab.locator('img[src="x"], main script').count()).toBe(0);
    await checkPage(visitor, 'delivery');
    receiver.answers.set(hostile, { status: 200, body: 'thanks' });
    await visitor.button('Send again').click();
    await checkPage(visitor, 'delivery-again');
    await dialog(visitor).getByRole('button', { name: 'Send again' }).click();
    await visitor.tab.getByText('Delivered', { exact: true }).waitFor();
    await becomes(() => answers.allInnerTexts(), ['thanks', expect.stringContaining('<script>')]);
    const [one, two] = await receiver.callsTo(hostile, 2);
    expect([two!.body, two!.headers['webhook-id']]).toEqual([one!.body, one!.headers['webhook-id']]);
    expect(alerts).toEqual([]);
    await visitor.link('All deliveries').click();
    await visitor.tab.getByLabel('Delivery state').selectOption('Given up');
    await visitor.tab.getByText('No delivery in this state').waitFor();
    await visitor.follow('API', 'Webhooks');
    await visitor.tab.getByLabel('Delivery state').selectOption('Delivered');
    await visitor.tab.getByRole('list', { name: 'Deliveries' }).getByText(hostile).waitFor();
    await checkPage(visitor, 'webhooks');
  });

  it.each([
    ['http://169.254.169.254/latest', 'address not allowed'],
    ['http://127.0.0.1:9/', 'address not allowed'],
  ])('a test of %s is refused with the message: %s', async (url, words) => {
    const visitor = await at('webhooks');
    await sendTest(visitor, url);
    await visitor.tab.getByText(words).waitFor();
  });

  it('an invalid address is refused in the form', async () => {
    const visitor = await at('webhooks');
    await visitor.button('Send a test event').click();
    expectErrors(422);
    await visitor.fill('Address', 'ftp://shop.example/x');
    await dialog(visitor).getByRole('button', { name: 'Send' }).click();
    await dialog(visitor).getByText('This is not a web address.').waitFor();
  });

  it('usage counts reports, photographs, failures and callbacks by day, also as a table and as CSV', async () => {
    const beganMs = Date.now();
    const { api, path } = await shop().newProject();
    const { report_id } = await uploaded(api, { template: 'tire_4t_0s', callback_url: `${receiver.origin}/usage` }, TREADS);
    await settled(api, report_id);
    await receiver.callsTo('/usage');
    // An image without a tire has no result.
    const bad = (await api.create({ template: 'tire_4t_0s' })).done;
    const [target] = await freshTargets(api, bad.report_id, [tread('front_left')]);
    await put(target!, imageOf(sidewall('front_left').slot));
    void (await api.call('registerImages', { report: bad.report_id, body: { images: [registration(target!)] } })).done;
    await reportThat(api, bad.report_id, ({ slots }) => slots.some(({ status }) => status === 'failed'));

    const visitor = await at('usage', path);
    await eventually(async () => {
      await visitor.tab.reload();
      await visitor.heading(/^Callbacks: 1$/).waitFor();
      return (await visitor.heading(/^Photographs without a result: 1$/).count()) === 1;
    });
    for (const name of [/^Reports: 2$/, /^Photographs: 5$/]) await visitor.heading(name).waitFor();
    await visitor.tab.getByText('tread_not_found').first().waitFor();
    await checkPage(visitor, 'usage');
    // A day may have ended meanwhile.
    const days = [dayInSeoul(beganMs), dayInSeoul(Date.now())];
    const sumsOf = (lines: readonly string[][]) =>
      lines
        .filter(([day]) => days.includes(day!))
        .map(([, ...counts]) => counts.map(Number))
        .reduce((sums, counts) => sums.map((sum, column) => sum + counts[column]!));
    const rows = visitor.tab.getByRole('row');
    await becomes(async () => sumsOf((await rows.allInnerTexts()).map((text) => text.split(/\s+/))), [2, 5, 1, 1, 1]);
    const [download] = await Promise.all([visitor.tab.waitForEvent('download'), visitor.link('Download as CSV').click()]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv.split('\r\n')[0]).toBe('day,reports,images,tread_not_found,callbacks,callbacks_delivered');
    expect(sumsOf(csv.split('\r\n').map((line) => line.split(',')))).toEqual([2, 5, 1, 1, 1]);
    await visitor.open(path.replace(/projects.*/, 'projects'));
    await visitor.link('Usage of all projects').click();
    await visitor.heading('Usage of all projects').waitFor();
    const counted = visitor.tab.getByRole('row').filter({ has: visitor.tab.locator(`a[href$="${path}/usage"]`) });
    await becomes(async () => (await counted.innerText()).split(/\s+/).slice(-5), ['2', '5', '1', '1', '1']);
    await checkPage(visitor, 'organization-usage');
    await counted.getByRole('link').click();
    await visitor.heading(/^Usage$/).waitFor();
    await visitor.button('7 days').click();
    await eventually(async () => (await visitor.tab.getByRole('row').count()) === 8);
    await visitor.fill('From', '2024-01-01');
    await visitor.button('Show').click();
    await visitor.tab.getByText('Choose 1 to 92 days').waitFor();
    await visitor.fill('To', '2024-01-31');
    await visitor.button('Show').click();
    await visitor.tab.getByText('Nothing in this period').waitFor();
    await checkPage(visitor, 'usage-empty');
  });

  it('an administrator chooses the events of webhooks', async () => {
    const { path } = await shop().newProject();
    const visitor = await at('webhooks', path);
    const box = (name: string) => visitor.tab.getByRole('checkbox', { name });
    await box('share.revoked').waitFor();
    expect(await box('share.revoked').isChecked()).toBe(false);
    await box('report.failed').check();
    await box('share.revoked').check();
    await visitor.button('Save').click();
    await visitor.tab.getByText('Saved').waitFor();
    await checkPage(visitor, 'webhook-events');
    await visitor.open(`${path}/webhooks`);
    await box('share.revoked').waitFor();
    const checked = ['report.partial', 'report.failed', 'content.ready', 'share.revoked'].map((name) => box(name).isChecked());
    expect(await Promise.all(checked)).toEqual([false, true, false, true]);
  });

  it('a developer can read and send callbacks but cannot create a secret; support can do neither', async () => {
    const developer = await shop().invited('Developer');
    await developer.open(`${shop().path}/webhooks`);
    await developer.heading('Signing secret').waitFor();
    await developer.heading('Deliveries').waitFor();
    await becomes(() => developer.button(/Create the secret|Rotate the secret/).count(), 0);
    await sendTest(developer, `${receiver.origin}/developer`);
    await developer.button('Send again').waitFor();
    await developer.follow('Settings', 'Usage');
    await developer.heading('Usage').waitFor();
    await checkPage(developer, 'usage-developer');
    const support = await shop().invited('Support');
    await support.open(`${shop().path}/webhooks`);
    await support.heading('There is no such page').waitFor();
    await becomes(() => support.link(/^(Keys|Webhooks|Requests|Usage|Developers)$/).count(), 0);
  });

  it('a complete report has a delivery that links to it', async () => {
    const { api, path } = shop();
    const { report_id } = await uploaded(api, { template: 'tire_4t_0s', callback_url: `${receiver.origin}/completed` }, TREADS);
    await settled(api, report_id);
    await receiver.callsTo('/completed');
    const visitor = await at('webhooks');
    await visitor.tab.getByRole('link', { name: 'Report complete' }).first().click();
    await visitor.tab.getByText('Delivered', { exact: true }).waitFor();
    await becomes(() => visitor.tab.getByRole('region', { name: 'Body' }).innerText(), expect.stringContaining(report_id));
    await becomes(() => visitor.link(report_id).getAttribute('href'), `/console${path}/reports/${report_id}`);
  });
});

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { eventually, describeWithBrowser, launchBrowser, picturesFolder, Visitor } from '@tire/test-harness';
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { openReceiver } from './callback-receiver';
import { settled, sidewall, TREADS, uploaded, freshTargets, put, registration, tread, reportThat } from './reports';
import { photographOf } from './photographs';
import { stackUnderTest } from './stack-under-test';
import { administer, apiWith, command, newKey, systemReady } from './world';

const PASSWORD = 'correct horse battery';
const EXPECTED = /status of (401|404|422)/;
const FITS = [0, 0, 0, 0];
const HOSTILE = `<script>alert(1)</script><img src=x onerror="alert('answer')">\u202e안 됨`;

describeWithBrowser('a project for developers in the console', () => {
  let browser: Browser;
  let pictures: string;
  let receiver: Awaited<ReturnType<typeof openReceiver>>;
  let organization: string;
  let project: string;
  let owner: string;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    await systemReady();
    [browser, receiver] = await Promise.all([launchBrowser(), openReceiver()]);
    pictures = await picturesFolder();
    owner = `${randomUUID()}@shop.example`;
    const args = ['create-organization', '--name', 'Tire shop', '--owner-email', owner, '--password-stdin', '--json'];
    organization = (await command('gateway', args, PASSWORD))['id']!;
    project = await newProject();
  });
  afterAll(() => Promise.all([browser?.close(), receiver?.close()]));
  afterEach(async () => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints).filter((text) => !EXPECTED.test(text));
    await Promise.all(visitors.splice(0).map((visitor) => visitor.leave()));
    expect(complaints).toEqual([]);
  });

  const newProject = async (): Promise<string> =>
    (await administer('create-project', '--organization', organization, '--mode', 'live', '--name', 'Shop'))['id']!;

  async function come(): Promise<Visitor> {
    const visitor = await Visitor.come(browser, new URL(stackUnderTest().console_url).origin);
    visitors.push(visitor);
    return visitor;
  }

  async function at(part: string, of = project): Promise<Visitor> {
    const visitor = await come();
    await visitor.signIn(owner, PASSWORD);
    await visitor.heading('Projects').waitFor();
    await visitor.open(`/organizations/${organization}/projects/${of}/${part}`);
    return visitor;
  }

  async function judge(visitor: Visitor, name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await visitor.tab.emulateMedia({ colorScheme });
      expect(await visitor.obstacles()).toEqual([]);
    }
    expect(await visitor.look(pictures, name)).toEqual(FITS);
  }

  async function sendTest(visitor: Visitor, url: string): Promise<void> {
    await visitor.button('Send a test event').click();
    await visitor.fill('Address', url);
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await visitor.heading('Test event').waitFor();
  }

  const dialog = (visitor: Visitor) => visitor.tab.getByRole('dialog');

  async function newSecret(visitor: Visitor): Promise<string> {
    await visitor.heading('Your new signing secret').waitFor();
    const secret = await dialog(visitor).getByRole('textbox', { name: 'Signing secret' }).innerText();
    expect(secret).toMatch(/^whsec_/);
    return secret;
  }

  it('the signing secret is shown once and rotated with an overlap, in which both sign', async () => {
    const visitor = await at('webhooks');
    await visitor.tab.getByText('No secret yet').waitFor();
    await visitor.tab.getByText('Nothing was sent yet').waitFor();
    await judge(visitor, 'webhooks-empty');
    await visitor.button('Make the secret').click();
    await dialog(visitor).getByRole('button', { name: 'Make the secret' }).click();
    const first = await newSecret(visitor);
    await judge(visitor, 'webhook-secret');
    await visitor.button('I have copied it').click();
    await visitor.button('Rotate the secret').click();
    await dialog(visitor).getByText('two signatures').waitFor();
    await judge(visitor, 'webhook-rotate');
    await dialog(visitor).getByRole('button', { name: 'Rotate the secret' }).click();
    const second = await newSecret(visitor);
    await visitor.button('I have copied it').click();
    await visitor.tab.getByText('Signs as well', { exact: true }).waitFor();
    await sendTest(visitor, `${receiver.origin}/rotated`);
    const [call] = await receiver.callsTo('/rotated');
    for (const secret of [first, second])
      expect(new Webhook(secret).verify(call!.body, call!.headers as Record<string, string>)).toMatchObject({ type: 'callback.test' });
    await visitor.link('Webhooks').click();
    expect(await visitor.tab.getByText(second).count()).toBe(0);
    await visitor.button('Rotate the secret').click();
    await dialog(visitor).getByRole('radio', { name: 'Not at all: it has leaked' }).check();
    await dialog(visitor).getByRole('button', { name: 'Rotate the secret' }).click();
    const third = await newSecret(visitor);
    await visitor.button('I have copied it').click();
    await sendTest(visitor, `${receiver.origin}/leaked`);
    const [last] = await receiver.callsTo('/leaked');
    const headers = last!.headers as Record<string, string>;
    expect(new Webhook(third).verify(last!.body, headers)).toBeTruthy();
    for (const secret of [first, second]) expect(() => new Webhook(secret).verify(last!.body, headers)).toThrow();
  });

  it('a delivery shows every attempt and what was answered, as text, and is sent again', async () => {
    receiver.answers.set('/hostile', { status: 500, body: HOSTILE + 'x'.repeat(2_000) });
    const visitor = await at('webhooks');
    const alerts: string[] = [];
    visitor.tab.on('dialog', (shown) => void (alerts.push(shown.message()), shown.dismiss()));
    await sendTest(visitor, `${receiver.origin}/hostile`);
    const answers = visitor.tab.getByRole('region', { name: /^Answer to attempt/ });
    await answers.waitFor();
    await visitor.tab.getByText('Given up', { exact: true }).waitFor();
    expect(await answers.innerText()).toContain(HOSTILE.replace('\u202e', '⟨202E⟩'));
    expect(await visitor.tab.locator('img[src="x"], main script').count()).toBe(0);
    await judge(visitor, 'delivery');
    receiver.answers.set('/hostile', { status: 200, body: 'thanks' });
    await visitor.button('Send again').click();
    await judge(visitor, 'delivery-again');
    await dialog(visitor).getByRole('button', { name: 'Send again' }).click();
    await visitor.tab.getByText('Delivered', { exact: true }).waitFor();
    expect(await answers.allInnerTexts()).toEqual(['thanks', expect.stringContaining('<script>')]);
    const [one, two] = await receiver.callsTo('/hostile', 2);
    expect([two!.body, two!.headers['webhook-id']]).toEqual([one!.body, one!.headers['webhook-id']]);
    expect(alerts).toEqual([]);
    await visitor.link('All deliveries').click();
    await visitor.tab.getByLabel('State of the delivery').selectOption('Given up');
    await visitor.tab.getByText('None in this state').waitFor();
    await visitor.link('Webhooks').click();
    await visitor.tab.getByLabel('State of the delivery').selectOption('Delivered');
    await visitor.tab.getByRole('list', { name: 'Deliveries' }).getByText('/hostile').waitFor();
    await judge(visitor, 'webhooks');
  });

  it.each([
    ['http://169.254.169.254/latest', 'the address is not allowed'],
    ['http://127.0.0.1:9/', 'the address is not allowed'],
  ])('a test of %s is refused in words: %s', async (url, words) => {
    const visitor = await at('webhooks');
    await sendTest(visitor, url);
    await visitor.tab.getByText(words).waitFor();
  });

  it('what is no address is refused where it is typed', async () => {
    const visitor = await at('webhooks');
    await visitor.button('Send a test event').click();
    await visitor.fill('Address', 'ftp://shop.example/x');
    await dialog(visitor).getByRole('button', { name: 'Send' }).click();
    await dialog(visitor).getByText('This is no web address.').waitFor();
  });

  it('usage counts reports, photographs, failures and callbacks by day, also as a table and as CSV', async () => {
    const counted = await newProject();
    const api = apiWith((await newKey(counted, 'report:*')).key);
    const { report_id } = await uploaded(api, { template: 'tire_4t_0s', callback_url: `${receiver.origin}/usage` }, TREADS);
    await settled(api, report_id);
    await receiver.callsTo('/usage');
    // A photograph of something else has no result.
    const bad = (await api.create({ template: 'tire_4t_0s' })).done;
    const [target] = await freshTargets(api, bad.report_id, [tread('front_left')]);
    await put(target!, photographOf(sidewall('front_left').slot));
    void (await api.call('registerImages', { report: bad.report_id, body: { images: [registration(target!)] } })).done;
    await reportThat(api, bad.report_id, ({ slots }) => slots.some(({ status }) => status === 'failed'));

    const visitor = await at('usage', counted);
    await eventually(async () => {
      await visitor.tab.reload();
      await visitor.heading(/^Callbacks: 1$/).waitFor();
      return (await visitor.heading(/^Photographs without a result: 1$/).count()) === 1;
    });
    for (const name of [/^Reports: 2$/, /^Photographs: 5$/]) await visitor.heading(name).waitFor();
    await visitor.tab.getByText('tread_not_found').first().waitFor();
    await judge(visitor, 'usage');
    const today = new Date().toISOString().slice(0, 10);
    const row = visitor.tab.getByRole('row', { name: new RegExp(`^${today}`) });
    expect((await row.innerText()).split(/\s+/)).toEqual([today, '2', '5', '1', '1', '1']);
    const [download] = await Promise.all([visitor.tab.waitForEvent('download'), visitor.link('Download as CSV').click()]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv.split('\r\n')[0]).toBe('day,reports,images,tread_not_found,callbacks,callbacks_delivered');
    expect(csv).toContain(`${today},2,5,1,1,1`);
    await visitor.button('7 days').click();
    await eventually(async () => (await visitor.tab.getByRole('row').count()) === 8);
    await visitor.fill('From', '2024-01-01');
    await visitor.button('Show').click();
    await visitor.tab.getByText('Choose 1 to 92 days').waitFor();
    await visitor.fill('To', '2024-01-31');
    await visitor.button('Show').click();
    await visitor.tab.getByText('Nothing in this period').waitFor();
    await judge(visitor, 'usage-empty');
  });

  it('a developer sends and reads, and makes no secret; support has none of it', async () => {
    const host = await at('webhooks');
    for (const role of ['Developer', 'Support'] as const) {
      const email = `${randomUUID()}@shop.example`;
      const guest = await come();
      await guest.join(await host.invite(email, role), role, PASSWORD);
      await guest.open(`/organizations/${organization}/projects/${project}/webhooks`);
      if (role === 'Developer') {
        await guest.heading('Signing secret').waitFor();
        await guest.heading('Deliveries').waitFor();
        expect(await guest.button(/Make the secret|Rotate the secret/).count()).toBe(0);
        await sendTest(guest, `${receiver.origin}/developer`);
        await guest.button('Send again').waitFor();
        await guest.link('Usage').click();
        await guest.heading('Usage').waitFor();
        await judge(guest, 'usage-developer');
      } else {
        await guest.heading('There is no such page').waitFor();
        expect(await guest.link(/^(Keys|Webhooks|Requests|Usage|Developers)$/).count()).toBe(0);
      }
    }
  });

  it('a report that is complete has a delivery, which leads to it', async () => {
    const api = apiWith((await newKey(project, 'report:*')).key);
    const { report_id } = await uploaded(api, { template: 'tire_4t_0s', callback_url: `${receiver.origin}/completed` }, TREADS);
    await settled(api, report_id);
    await receiver.callsTo('/completed');
    const visitor = await at('webhooks');
    await visitor.tab.getByRole('link', { name: 'Report complete' }).first().click();
    await visitor.tab.getByText('Delivered', { exact: true }).waitFor();
    expect(await visitor.tab.getByRole('region', { name: 'Body' }).innerText()).toContain(report_id);
    expect(await visitor.link(report_id).getAttribute('href')).toBe(
      `/console/organizations/${organization}/projects/${project}/reports/${report_id}`,
    );
  });
});

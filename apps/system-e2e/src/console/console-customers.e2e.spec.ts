import { randomUUID } from 'node:crypto';
import { NEWEST_REMINDER_CONSENT } from '@tire/contracts/limits';
import { becomes, describeWithBrowser, eventually, startSmsProvider, type Visitor } from '@tire/test-harness';
import { startCollector } from '../processes/collector';
import { metricsOf, SERVICES } from '../processes/processes';
import { holderOf, logsWith, placesWith } from '../publication/stored-secrets';
import { outsideOfStack } from '../stack-under-test';
import { answer, atTheShop } from './console-shop';

/** Values that are nowhere else on the stack. */
const planted = () => {
  const mark = randomUUID().slice(0, 8);
  const digits = String(Math.floor(Math.random() * 1e8)).padStart(8, '0');
  return {
    name: `김${mark}`,
    phone: `010-${digits.slice(0, 4)}-${digits.slice(4)}`,
    email: `${mark}@customer.example`,
    note: `전화는 저녁에 ${mark}`,
    /** The ledger keeps it, so it is in tables and streams. */
    plate: `${mark}가`,
  };
};

describeWithBrowser('customers in the console, in a browser', () => {
  const { shop, checkPage, openReport } = atTheShop();
  const section = ({ tab }: Visitor) => tab.locator('section').filter({ has: tab.getByRole('heading', { name: /^(Customer|고객)$/ }) });
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let provider: Awaited<ReturnType<typeof startSmsProvider>>;

  beforeAll(async () => {
    const { collector_port, sms_port } = outsideOfStack();
    collector = await startCollector(collector_port);
    provider = await startSmsProvider({ port: sms_port });
  }, 120_000);
  afterAll(async () => {
    await collector?.stop();
    await provider?.stop();
  });

  /** The text of the message holds name, plate and link. */
  const sendText = async (visitor: Visitor, reportId: string, phone: string, plate: string): Promise<void> => {
    await eventually(async () => (await shop().api.call('getShare', { report: reportId })).done.status === 'active');
    await shop().request(visitor, 'POST', `reports/${reportId}/messages`, { language: 'ko', channel: 'sms' });
    const [text] = await provider.messagesTo(`+82${phone.slice(1).replaceAll('-', '')}`);
    expect(text!.body.text).toContain(plate);
  };

  /** The id of a request is in the spans that it causes. A process sends its spans in their order, so those of earlier requests have come too. */
  const collected = (reportId: string) =>
    Promise.all([
      collector.reachedBy(['gateway', 'ledger'], async () => idOf(await shop().api.call('getReport', { report: reportId }))),
      collector.reachedBy(['gateway', 'share'], async () => idOf(await shop().api.call('getShare', { report: reportId }))),
    ]);
  const idOf = ({ headers }: { headers: Headers }): string => headers.get('x-request-id')!;

  const dialog = ({ tab }: Visitor) => tab.getByRole('dialog');

  it('a customer is recorded, masked, shown in full, found by number and removed, and is in no store, log or metric in plain text', async () => {
    const { plate, ...customer } = planted();
    const visitor = await shop().owner();
    // The exporters notice that there is a collector now. Later spans are not lost.
    await collected(await shop().entered(visitor, 5));
    const reportId = await shop().entered(visitor, 5, { plate_number: plate });
    await openReport(visitor, reportId);
    await visitor.button('Record customer').click();
    for (const [label, value] of [
      ['Name', customer.name],
      ['Phone', customer.phone],
      ['E-mail', customer.email],
      ['Note', customer.note],
    ] as const)
      await dialog(visitor).getByLabel(label, { exact: true }).fill(value);
    await dialog(visitor).getByLabel('The customer agrees').check();
    await checkPage(visitor, 'customer-edit');
    await answer(visitor, 'Save').click();
    await dialog(visitor).waitFor({ state: 'detached' });
    await section(visitor)
      .getByText(`010-****-${customer.phone.slice(-4)}`)
      .waitFor();
    await section(visitor).getByText('김***', { exact: true }).waitFor();
    await becomes(() => section(visitor).getByText(customer.email).count(), 0);
    await checkPage(visitor, 'customer');
    await visitor.button('Show all').click();
    for (const value of Object.values(customer)) await section(visitor).getByText(value, { exact: true }).waitFor();
    await checkPage(visitor, 'customer-shown');

    await visitor.open(`${shop().path}/customers`);
    await visitor.fill('Phone', customer.phone.replaceAll('-', ' '));
    await visitor.button('Search').click();
    const found = visitor.tab.getByRole('list', { name: 'Reports of this customer' });
    await found.getByRole('link').waitFor();
    await checkPage(visitor, 'customers');
    // What is before it has a port and an id, which may hold the digits.
    expect(visitor.tab.url().split(`${shop().path}/customers`)[1]).not.toContain(customer.phone.slice(-4));

    const values = [...Object.values(customer), `8210${customer.phone.slice(4).replace('-', '')}`];
    await sendText(visitor, reportId, customer.phone, plate);
    const consent = { version: NEWEST_REMINDER_CONSENT, language: 'ko' };
    await shop().request(visitor, 'POST', `reports/${reportId}/reminders`, { reason: 'six_months', channel: 'sms', consent });
    expect(await placesWith(values)).toEqual([]);
    const everything = [...values, plate];
    expect(await logsWith(everything)).toEqual([]);
    for (const service of SERVICES) {
      const metrics = await metricsOf(service);
      for (const value of everything) expect(metrics).not.toContain(value);
    }
    await collected(reportId);
    expect(collector.batches.length).toBeGreaterThan(1);
    expect(collector.batches.filter(holderOf(everything))).toEqual([]);

    await found.getByRole('link').click();
    await section(visitor).getByRole('button', { name: 'Remove', exact: true }).click();
    await answer(visitor, 'Remove').click();
    await visitor.button('Record customer').waitFor();
    await visitor.open(`/organizations/${shop().path.split('/')[2]}/audit-log`);
    for (const words of ['Customer removed', 'Customer shown in full', 'Consent of the customer recorded', 'Customer recorded or changed'])
      await visitor.tab.getByText(words).first().waitFor();
    await visitor.tab.getByText('Fields: Name, Phone, E-mail, Note').waitFor();
  });

  it('a developer sees the customer masked and cannot show or change it', async () => {
    const owner = await shop().owner();
    const reportId = await shop().entered(owner, 5);
    await shop().request(owner, 'PATCH', `reports/${reportId}/visit`, { name: '홍길동', phone: '010-2222-3333' });
    const developer = await shop().invited('Developer');
    await openReport(developer, reportId);
    await section(developer).getByText('홍*동').waitFor();
    await becomes(() => section(developer).getByRole('button').count(), 0);
    await becomes(() => developer.link('Customers').count(), 0);
    await checkPage(developer, 'customer-masked');
  });
});

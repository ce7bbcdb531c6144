import type { ReportPrices, Usage } from '@tire/contracts/console';
import { becomes, describeWithBrowser, type Visitor } from '@tire/test-harness';
import { walks } from './testing/walks.fixture';

const NOTHING = { images: 0, failures: {}, callbacks: 0, callbacks_delivered: 0 };
const usage: Usage = {
  project_id: '01978a34-5c00-7000-8000-000000000001',
  from: '2026-10-31',
  to: '2026-11-01',
  days: [
    { day: '2026-10-31', reports: 2, ...NOTHING },
    { day: '2026-11-01', reports: 3, ...NOTHING },
  ],
  cost: {
    days: [
      { day: '2026-10-31', amount_minor: 250, currency: 'USD' },
      { day: '2026-11-01', amount_minor: 4500, currency: 'KRW' },
    ],
    sums: [
      { amount_minor: 250, currency: 'USD' },
      { amount_minor: 4500, currency: 'KRW' },
    ],
  },
};

describeWithBrowser('prices of reports in the console', () => {
  const { owner, newProject, checkPage, expectErrors } = walks();

  /** No ledger runs here: the test answers for usage. The prices are those of the gateway. */
  const answer = ({ tab }: Visitor) => tab.route(/\/usage\?/, (route) => route.fulfill({ json: usage }));

  it.each([
    [
      'en',
      1280,
      'Price of one report',
      'Set price',
      'Remove',
      'Enter a whole number.',
      /^Choose a day from .*-01 to /,
      'Cost: $2.50, ₩4,500',
      '₩1,500',
    ],
    [
      'ko',
      390,
      '보고서 1건의 단가',
      '단가 저장',
      '삭제',
      '정수로 입력해 주세요.',
      /-01부터 .* 사이의 날짜를 선택해 주세요\.$/,
      '금액: US$2.50, ₩4,500',
      '₩1,500',
    ],
  ] as const)(
    'an owner sets a price from a day on, and usage has the sums by currency (%s, %i px)',
    async (locale, width, label, set, remove, notWhole, notThen, sums, price) => {
      expectErrors(503);
      const visitor = await owner(`Price${locale}`);
      await answer(visitor);
      const test = await newProject(visitor, 'Test');
      await visitor.open(`${test}/usage`);
      // Reports of a test project cost nothing.
      await visitor.tab.getByRole('table').waitFor();
      expect(await visitor.tab.getByLabel('Price of one report', { exact: true }).count()).toBe(0);
      await visitor.open(test.replace(/\/[^/]+$/, ''));
      const live = await newProject(visitor, 'Live');
      await visitor.tab.evaluate(`localStorage.setItem('console-language', '${locale}')`);
      await visitor.tab.setViewportSize({ width, height: 900 });
      await visitor.open(`${live}/usage`);
      await visitor.heading(sums).waitFor();
      const amount = visitor.tab.getByLabel(label, { exact: true });
      const day = visitor.tab.locator('input[name=valid_from]');
      const first = await day.inputValue();
      await amount.fill('1500.5');
      await visitor.button(set).click();
      await visitor.tab.getByText(notWhole, { exact: true }).waitFor();
      await amount.fill('1,500');
      await day.fill('2020-01-01');
      await visitor.button(set).click();
      await visitor.tab.getByText(notThen).waitFor();
      await checkPage(visitor, `prices-wrong-${locale}`);
      await day.fill(first);
      const saved = visitor.tab.waitForResponse(
        (response) => response.url().endsWith('/report-prices') && response.request().method() === 'POST',
      );
      await visitor.button(set).click();
      const { prices, last_day: last } = (await (await saved).json()) as ReportPrices;
      expect(prices).toEqual([{ valid_from: first, amount_minor: 1500, currency: 'KRW' }]);
      await visitor.tab.locator('.rows').getByText(price, { exact: true }).waitFor();
      await day.fill(last);
      await visitor.button(set).click();
      const rows = visitor.tab.locator('.rows').getByText(price, { exact: true });
      await becomes(() => rows.count(), 2);
      await checkPage(visitor, `prices-${locale}`);
      await visitor.button(remove).click();
      await visitor.tab.getByRole('dialog').getByRole('button', { name: remove, exact: true }).click();
      await becomes(() => rows.count(), 1);
    },
  );
});

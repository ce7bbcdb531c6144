import type { MarkedReports, ShareLinks } from '@tire/contracts/console';
import { becomes, describeWithBrowser, type Visitor } from '@tire/test-harness';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { creators, criticalContent, criticalReport, openLink, worklist } from './testing/worklist.fixture';
import { walks } from './testing/walks.fixture';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const SHOTS = process.env['SCREENSHOTS'];

describeWithBrowser("the shop's day in the console", () => {
  const { owner, newProject, checkPage, expectErrors } = walks();
  const { report } = criticalReport;

  /** No ledger runs here: the test answers for it. */
  async function answer({ tab }: Visitor) {
    const marks: unknown[] = [];
    await tab.route(/\/console\/api\/projects\/[^/]+\/reports\?/, (route) => route.fulfill({ json: worklist }));
    await tab.route(/\/report-creators$/, (route) => route.fulfill({ json: creators }));
    await tab.route(/\/report-marks$/, (route) => {
      const body = route.request().postDataJSON() as { report_ids: string[] };
      marks.push(body);
      const reports = body.report_ids.map((report_id, index) => ({
        report_id,
        outcome: (['marked', 'not_found', 'stale'] as const)[index] ?? 'marked',
      }));
      return route.fulfill({ json: { reports } satisfies MarkedReports });
    });
    await tab.route(/\/report-share-links$/, (route) => {
      const { report_ids: ids } = route.request().postDataJSON() as { report_ids: string[] };
      const links = ids.map((report_id, index) =>
        index === 1
          ? { report_id, outcome: 'closed' as const, plate_number: '11가 3401', share_url: null }
          : { report_id, outcome: 'open' as const, plate_number: '10가 3400', share_url: `https://share.tires.example/r/${index}` },
      );
      return route.fulfill({ json: { links } satisfies ShareLinks });
    });
    const path = `/console/api/.*/reports/${report.report_id}`;
    await tab.route(new RegExp(`${path}$`), (route) => route.fulfill({ json: criticalReport }));
    await tab.route(new RegExp(`${path}/share$`), (route) => route.fulfill({ json: openLink }));
    await tab.route(new RegExp(`${path}/content$`), async (route) =>
      route.fulfill({ json: criticalContent((await tab.evaluate<string>('document.documentElement.lang')) === 'ko' ? 'ko-KR' : 'en-US') }),
    );
    return marks;
  }

  async function everyLook({ tab }: Visitor, name: string): Promise<void> {
    if (!SHOTS) return;
    mkdirSync(SHOTS, { recursive: true });
    for (const size of [PHONE, DESKTOP])
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.setViewportSize(size);
        await tab.emulateMedia({ colorScheme });
        await tab.screenshot({ path: join(SHOTS, `${name}-${size.width}-${colorScheme}.png`) });
        await tab.screenshot({ path: join(SHOTS, `${name}-${size.width}-${colorScheme}-whole.png`), fullPage: true });
      }
    await tab.emulateMedia({ colorScheme: 'light' });
    await tab.setViewportSize(DESKTOP);
  }

  it.each([
    [
      'en',
      'Critical',
      '2 selected',
      'Mark as handled',
      '1 changed. 1 no longer exists. 1 was not marked: a newer result came meanwhile. Look at it again.',
      'Copy share links',
      'Select all shown',
    ],
    [
      'ko',
      '위험',
      '2건 선택',
      '처리함으로 표시',
      '1건을 바꿨습니다. 1건은 더 이상 없습니다. 1건은 그사이 새 결과가 나와 표시하지 않았습니다. 새 결과를 확인해 주세요.',
      '공유 링크 복사',
      '보이는 보고서 모두 선택',
    ],
  ])(
    'the worklist shows verdicts in words, and marks several reports at once (%s)',
    async (locale, critical, two, handle, outcome, copy, all) => {
      const visitor = await owner(`Worklist${locale}`);
      const { tab } = visitor;
      // The new project shows its list, which asks at once.
      const marks = await answer(visitor);
      const project = await newProject(visitor, 'Shop');
      await tab.evaluate(`localStorage.setItem('console-language', '${locale}')`);
      const asked = tab.waitForRequest(/\/reports\?/);
      await visitor.open(`${project}/reports`);
      expect(new URL((await asked).url()).searchParams.toString()).toBe('limit=20&attention=open&order=urgency');
      const rows = tab.getByRole('main').locator('.rows > li');
      await becomes(() => rows.count(), worklist.reports.length);
      // A critical car does not read "measured", and not in green.
      await becomes(() => rows.first().locator('.sign-critical').innerText(), critical);
      await becomes(() => rows.first().locator('.sign-good').count(), 0);
      await checkPage(visitor, `worklist-${locale}`);
      await everyLook(visitor, `worklist-${locale}`);
      await rows.nth(0).getByRole('checkbox').check();
      await rows.nth(1).getByRole('checkbox').check();
      await tab.getByText(two, { exact: true }).waitFor();
      await visitor.button(copy).click();
      await tab.locator('.selection-outcome').getByText(/1/).first().waitFor();
      await checkPage(visitor, `worklist-selected-${locale}`);
      await everyLook(visitor, `worklist-selected-${locale}`);
      await rows.nth(2).getByRole('checkbox').check();
      await visitor.button(handle).click();
      await tab.getByText(outcome, { exact: true }).waitFor();
      const marked = worklist.reports.slice(0, 3);
      expect(marks).toEqual([
        {
          report_ids: marked.map(({ report_id }) => report_id),
          mark: 'handled',
          seen_results: marked.map(({ work }) => work.result),
        },
      ]);
      // The one with a newer result stays selected.
      await becomes(() => rows.getByRole('checkbox', { checked: true }).count(), 1);
      await rows.nth(2).getByRole('checkbox').uncheck();
      await tab.getByLabel(all).check();
      await becomes(() => rows.getByRole('checkbox', { checked: true }).count(), worklist.reports.length);
    },
  );

  it.each([
    ['en', 'Critical', 'Copy link', 'Mark as handled', 'For support'],
    ['ko', '위험', '링크 복사', '처리함으로 표시', '고객지원용 정보'],
  ])('a report begins with its verdict and the link, and keeps codes in a fold (%s)', async (locale, critical, copy, handle, support) => {
    // Images and the capture link are not answered.
    expectErrors(503);
    const visitor = await owner(`First${locale}`);
    const { tab } = visitor;
    const marks = await answer(visitor);
    const project = await newProject(visitor, 'Shop');
    await tab.evaluate(`localStorage.setItem('console-language', '${locale}')`);
    await tab.setViewportSize(PHONE);
    await visitor.open(`${project}/reports/${report.report_id}`);
    await becomes(() => tab.locator('.first .sign-large').innerText(), critical);
    await visitor.button(copy).waitFor();
    // On the first screen of a phone, without scrolling.
    for (const part of [tab.locator('.first .sign-large'), visitor.button(copy)])
      await becomes(async () => {
        const box = await part.boundingBox();
        return box !== null && box.y + box.height <= PHONE.height;
      }, true);
    await becomes(() => tab.locator('.first a[href$=".pdf"]').count(), 1);
    // Opening it is reading it.
    const seen_results = [criticalReport.work.result];
    await becomes(() => marks[0], { report_ids: [report.report_id], mark: 'read', seen_results });
    const text = await tab.getByRole('main').innerText();
    for (const code of ['tread_not_found', 'inference', 'tread 1.0.0', criticalReport.trace_id!]) expect(text).not.toContain(code);
    await checkPage(visitor, `report-first-${locale}`);
    await everyLook(visitor, `report-first-${locale}`);
    await tab.getByText(support, { exact: true }).first().click();
    await tab.getByText(/tread_not_found/).waitFor();
    await checkPage(visitor, `report-support-${locale}`);
    await visitor.button(handle).click();
    await becomes(() => marks.at(-1), { report_ids: [report.report_id], mark: 'handled', seen_results });
  });
});

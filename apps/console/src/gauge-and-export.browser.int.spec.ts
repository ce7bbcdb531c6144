import { describeWithBrowser, type Visitor } from '@tire/test-harness';
import { detailWith } from './testing/gauged-report.fixture';
import { walks } from './testing/walks.fixture';
import { worklist } from './testing/worklist.fixture';

describeWithBrowser('gauge values and exports in the console', () => {
  const { owner, newProject, checkPage, expectErrors } = walks();
  const dialog = ({ tab }: Visitor) => tab.getByRole('dialog');

  it.each([
    [
      'en',
      1280,
      'Enter gauge values: Front left, Tread',
      'Change gauge values: Front left, Tread',
      ['Groove 2', 'Save', 'Yes, save these values'],
      ['Between 0 and 20 mm.', 'Unusual: groove 2. Is that what the gauge shows?', 'Nothing was changed.'],
      'This tire was measured again meanwhile. Look at the report once more.',
      'Groove 2: 1.4 mm (from the photograph: 5.3 mm)',
    ],
    [
      'ko',
      390,
      '게이지 값 입력: 앞 왼쪽, 트레드',
      '게이지 값 수정: 앞 왼쪽, 트레드',
      ['홈 2', '저장', '네, 이 값으로 저장'],
      ['0~20mm 사이여야 합니다.', '홈 2의 값이 평소와 다릅니다. 게이지에 표시된 값이 맞나요?', '바뀐 값이 없습니다.'],
      '그사이 이 타이어를 다시 측정했습니다. 보고서를 다시 확인해 주세요.',
      '홈 2: 1.4 mm (사진 측정값 5.3 mm)',
    ],
  ] as const)(
    'a person enters what a gauge shows over a measured groove, and withdraws it (%s, %i px)',
    async (locale, width, enter, change, [groove, save, confirm], [range, unusual, nothing], remeasured, shown) => {
      expectErrors(503, 422);
      const visitor = await owner(`Gauge${locale}`);
      const project = await newProject(visitor, 'Gauges');
      await visitor.tab.evaluate(`localStorage.setItem('console-language', '${locale}')`);
      await visitor.tab.setViewportSize({ width, height: 900 });
      const { report } = detailWith(null);
      let gaugeMm: number | null = null;
      let isRefused = true;
      const sent: unknown[] = [];
      const path = `/console/api/.*/reports/${report.report_id}`;
      await visitor.tab.route(new RegExp(`${path}$`), (route) => route.fulfill({ json: detailWith(gaugeMm) }));
      await visitor.tab.route(new RegExp(`${path}/gauge-values$`), (route) => {
        const body = route.request().postDataJSON() as { values: { depth_mm: number | null }[] };
        sent.push(body);
        if (isRefused)
          return route.fulfill({
            status: 422,
            json: { error: { code: 'validation_error', message: '', param: 'analysis_revision', request_id: 'r' } },
          });
        gaugeMm = body.values[0]!.depth_mm;
        return route.fulfill({ json: { report_id: report.report_id, analysis_status: 'complete', changed: true } });
      });
      await visitor.open(`${project}/reports/${report.report_id}`);
      const press = (name: string) => dialog(visitor).getByRole('button', { name, exact: true }).click();
      const type = (text: string) => dialog(visitor).getByLabel(groove, { exact: true }).fill(text);
      await visitor.button(enter).click();
      await press(save);
      await dialog(visitor).getByText(nothing, { exact: true }).waitFor();
      await type('21');
      await press(save);
      await dialog(visitor).getByText(range, { exact: true }).waitFor();
      expect(sent).toEqual([]);
      await type('1,4');
      await press(save);
      await dialog(visitor).getByText(unusual, { exact: true }).waitFor();
      await checkPage(visitor, `gauge-${locale}`);
      expect(sent).toEqual([]);
      await press(confirm);
      await dialog(visitor).getByText(remeasured, { exact: true }).waitFor();
      isRefused = false;
      await press(confirm);
      await dialog(visitor).waitFor({ state: 'detached' });
      await visitor.tab.getByText(shown, { exact: false }).waitFor();
      await visitor.tab.locator('.gauge-values').getByText('kim@shop.example').waitFor();
      await checkPage(visitor, `gauge-entered-${locale}`);
      expect(sent.at(-1)).toEqual({
        slot_id: 'tire.tread.front_left',
        analysis_revision: report.analysis_revision,
        values: [{ groove: 2, depth_mm: 1.4 }],
        confirm_unusual: true,
      });
      await visitor.button(change).click();
      await type('');
      await press(save);
      await visitor.button(enter).waitFor();
      expect(sent.at(-1)).toMatchObject({ values: [{ groove: 2, depth_mm: null }] });
    },
  );

  it.each([
    ['en', 1280, 'Export', 'Download', 'Plate', 'CSV', 'Another export is running. Try again when it has ended.'],
    ['ko', 390, '내보내기', '내려받기', '차량 번호', 'CSV', '다른 내보내기가 진행 중입니다. 끝난 뒤 다시 시도해 주세요.'],
  ] as const)(
    'the reports of the list are exported with the columns that a person chose (%s, %i px)',
    async (locale, width, open, save, plate, format, running) => {
      expectErrors(503, 429);
      const visitor = await owner(`Export${locale}`);
      const project = await newProject(visitor, 'Files');
      await visitor.tab.evaluate(`localStorage.setItem('console-language', '${locale}')`);
      await visitor.tab.setViewportSize({ width, height: 900 });
      const asked: URL[] = [];
      await visitor.tab.route(/\/console\/api\/.*\/report-export\?/, (route) => {
        asked.push(new URL(route.request().url()));
        return asked.length === 1
          ? route.fulfill({ status: 429, json: { error: { code: 'rate_limited', message: '', param: null, request_id: 'r' } } })
          : route.fulfill({ body: '\uFEFFPlate\r\n12가 3456\r\n', contentType: 'text/csv; charset=utf-8' });
      });
      await visitor.open(`${project}/reports?status=complete&from=2026-11-01`);
      await visitor.button(open).click();
      await checkPage(visitor, `export-${locale}`);
      await dialog(visitor).getByLabel(plate, { exact: true }).uncheck();
      await dialog(visitor).getByLabel(format, { exact: true }).check();
      await dialog(visitor).getByRole('button', { name: save, exact: true }).click();
      await dialog(visitor).getByText(running, { exact: true }).waitFor();
      const download = visitor.tab.waitForEvent('download');
      await dialog(visitor).getByRole('button', { name: save, exact: true }).click();
      expect((await download).suggestedFilename()).toMatch(/^reports-\d{4}-\d\d-\d\d\.csv$/);
      await dialog(visitor).waitFor({ state: 'detached' });
      const query = Object.fromEntries(asked.at(-1)!.searchParams);
      expect(query).toMatchObject({ format: 'csv', language: locale, analysis_status: 'complete' });
      expect(query['created_from']).toBeDefined();
      expect(query['order']).toBeUndefined();
      expect(query['columns']?.split(',')).toEqual(expect.not.arrayContaining(['plate_number']));
    },
  );

  it.each([
    ['en', 1280, 'Export selected', 'Download', 'Customer: phone', 'The 2 selected reports, in the order of the list.', 'Select all shown'],
    [
      'ko',
      390,
      '선택 항목 내보내기',
      '내려받기',
      '고객 전화번호',
      '선택한 보고서 2건을 목록 순서대로 내보냅니다.',
      '보이는 보고서 모두 선택',
    ],
  ] as const)(
    'selected reports are exported, with customers where a person asks for them (%s, %i px)',
    async (locale, width, open, save, phone, text, all) => {
      expectErrors(503);
      const visitor = await owner(`Selected${locale}`);
      const reports = worklist.reports.slice(0, 2);
      await visitor.tab.route(/\/console\/api\/projects\/[^/]+\/reports\?/, (route) =>
        route.fulfill({ json: { reports, next_cursor: null } }),
      );
      const project = await newProject(visitor, 'Files');
      await visitor.tab.evaluate(`localStorage.setItem('console-language', '${locale}')`);
      await visitor.tab.setViewportSize({ width, height: 900 });
      const sent: unknown[] = [];
      await visitor.tab.route(/\/report-export$/, (route) => {
        sent.push(route.request().postDataJSON());
        return route.fulfill({ body: 'x', contentType: 'text/csv; charset=utf-8' });
      });
      await visitor.open(`${project}/reports`);
      await visitor.tab.getByLabel(all, { exact: true }).check();
      await visitor.button(open).click();
      await dialog(visitor).getByText(text, { exact: true }).waitFor();
      const columns = dialog(visitor).getByRole('checkbox');
      for (const box of await columns.all()) await box.uncheck();
      await dialog(visitor).getByLabel(phone, { exact: true }).check();
      await checkPage(visitor, `export-selected-${locale}`);
      const download = visitor.tab.waitForEvent('download');
      await dialog(visitor).getByRole('button', { name: save, exact: true }).click();
      expect((await download).suggestedFilename()).toMatch(/^reports-\d{4}-\d\d-\d\d\.xlsx$/);
      const report_ids = reports.map(({ report_id }) => report_id);
      expect(sent).toEqual([{ report_ids, format: 'xlsx', language: locale, columns: ['customer_phone'] }]);
    },
  );
});

import { randomUUID } from 'node:crypto';
import type { Partner } from '@tire/contracts/console';
import { slotId } from '@tire/kernel';
import { becomes, describeWithBrowser } from '@tire/test-harness';
import sharp from 'sharp';
import { atTheShop, dayInSeoul } from './console-shop';
import { TREADS } from '../reports/reports';
import { command } from '../world';

const HOSTILE = '<img src=x onerror="alert(1)">';

describeWithBrowser('reports in the console, in a browser', () => {
  const { shop, another, checkPage, expectErrors, openReport } = atTheShop();

  it('an owner finds reports by plate and ids, page by page', async () => {
    // Without a report, also for a repeated test.
    const own = await another();
    const visitor = await own.owner();
    await visitor.open(`${own.path}/reports`);
    await visitor.tab.getByText('No report yet').waitFor();
    await checkPage(visitor, 'reports-empty');
    const inspection = randomUUID();
    for (let made = 0; made < 21; made += 1) {
      const named = made === 0 ? { plate_number: '12가 3456', external_inspection_id: inspection, external_vehicle_id: 'fleet-7' } : {};
      void (await own.api.create({ plate_number: `34나 ${1_000 + made}`, ...named })).done;
    }
    await visitor.tab.reload();
    const rows = visitor.tab.getByRole('list', { name: 'Reports' }).getByRole('listitem');
    await visitor.link('34나 1020').waitFor();
    await becomes(() => rows.count(), 20);
    await checkPage(visitor, 'reports');
    await visitor.button('Show more').click();
    await visitor.link('12가 3456').waitFor();
    await becomes(async () => [await rows.count(), await visitor.button('Show more').count()], [21, 0]);
    for (const known of ['3456', '12가3456', inspection, 'fleet-7']) {
      await visitor.fill('Plate, report id or your own ids', known);
      await visitor.button('Search').click();
      const results = visitor.tab.getByRole('list', { name: `Results for "${known}"` });
      await becomes(() => results.getByRole('listitem').count(), 1);
    }
    await visitor.fill('Plate, report id or your own ids', '100% nobody');
    await visitor.button('Search').click();
    await visitor.tab.getByText('Nothing found for "100% nobody"').waitFor();
    await checkPage(visitor, 'reports-none');
    await visitor.tab.goBack();
    await visitor.tab.getByRole('list', { name: 'Results for "fleet-7"' }).waitFor();
    await visitor.button('Show all').click();
    await visitor.link('34나 1020').waitFor();
  });

  it('reports can be filtered by state, creation mode and time', async () => {
    const visitor = await shop().owner();
    const plate = `FILTERED ${randomUUID().slice(0, 8)}`;
    const byHand = await shop().entered(visitor, 6, { plate_number: plate });
    const { report_id: byApi } = (await shop().api.create({ plate_number: plate })).done;
    await visitor.open(`${shop().path}/reports`);
    const shown = async (label: string | RegExp) => {
      const rows = visitor.tab.getByRole('list', { name: label, exact: true }).getByRole('link', { name: plate });
      await rows.first().waitFor();
      return Promise.all((await rows.all()).map(async (row) => (await row.getAttribute('href'))?.split('/').at(-1)));
    };
    const choose = (label: string, option: string) => visitor.tab.getByLabel(label, { exact: true }).selectOption(option);
    await visitor.fill('Plate, report id or your own ids', plate);
    await visitor.button('Search').click();
    await becomes(() => shown(`Results for "${plate}"`), [byApi, byHand]);
    await choose('State', 'Waiting for photographs');
    await visitor.button('Search').click();
    await visitor.tab.waitForURL(/status=awaiting_images/);
    await becomes(() => shown(`Results for "${plate}"`), [byApi]);
    await visitor.button('Show all').click();
    await visitor.tab.getByText('More filters', { exact: true }).click();
    await choose('Source', 'By hand');
    // The day may have ended since the reports were created.
    const [yesterday, today] = [dayInSeoul(Date.now() - 86_400_000), dayInSeoul(Date.now())];
    await visitor.fill('Created from', yesterday);
    await visitor.fill('Created up to', today);
    await visitor.button('Search').click();
    await visitor.tab.waitForURL(/mode=manual/);
    await becomes(() => shown('Reports'), [byHand]);
    await checkPage(visitor, 'reports-filtered');
    await visitor.fill('Created from', '2999-01-01');
    await visitor.button('Search').click();
    await visitor.tab.getByText('The first day is after the last one.').waitFor();
    await visitor.fill('Created up to', '');
    await visitor.button('Search').click();
    await visitor.tab.getByText('No report matches').waitFor();
    await visitor.tab.goBack();
    await becomes(() => shown('Reports'), [byHand]);
  });

  it('a vehicle shows its depths over time as a chart and as a table', async () => {
    const visitor = await shop().owner();
    const report = await shop().api.report(await shop().entered(visitor, 5));
    const vehicle = `fleet-${randomUUID()}`;
    const old = [7.6, 6.9, 6.1, 5.2, 4.0, 2.9].map((depthMm, index) => ({
      ...report,
      report_id: randomUUID(),
      client_context: { external_inspection_id: null, external_vehicle_id: vehicle, metadata: {} },
      timestamps: { ...report.timestamps, created_at: new Date(Date.UTC(2024, index * 4, 3, 9)).toISOString() },
      slots: report.slots.map((one) => worn(one, depthMm)),
    }));
    const lines = old.map((one) => `${JSON.stringify(one)}\n`).join('');
    await command('ledger', ['import-legacy', '--project', shop().projectId, '--mode', 'live'], lines);
    await visitor.open(`${shop().path}/vehicles?${new URLSearchParams({ id: vehicle })}`);
    await visitor.tab.getByRole('img', { name: /^Depth of each tire over 6 inspections/ }).waitFor();
    await becomes(() => visitor.tab.locator('.depth-chart .series.rear_left polyline').count(), 1);
    const rows = visitor.tab.getByRole('row');
    await becomes(() => rows.nth(1).getByRole('cell').allInnerTexts(), ['2.9', '3.1', '3.3', '3.5', expect.any(String)]);
    await becomes(() => rows.count(), 7);
    await checkPage(visitor, 'vehicle');
    expectErrors(409);
    await rows.nth(1).getByRole('link').click();
    await visitor.tab.getByText('This report was created before texts for customers existed.').waitFor();
    await checkPage(visitor, 'report-legacy');
  });

  it('untrusted values are displayed as text', async () => {
    const ids = {
      external_inspection_id: `"><script>alert(2)</script>${randomUUID()}`,
      external_vehicle_id: `${HOSTILE} 100% ${randomUUID()}`,
    };
    const { report_id } = (await shop().api.create({ plate_number: HOSTILE, ...ids, metadata: { '</script>': HOSTILE } })).done;
    const visitor = await shop().owner();
    const alerts: string[] = [];
    visitor.tab.on('dialog', (dialog) => {
      alerts.push(dialog.message());
      void dialog.dismiss();
    });
    await visitor.open(`${shop().path}/reports`);
    await visitor.link(HOSTILE).first().waitFor();
    await visitor.tab.getByText(ids.external_inspection_id).waitFor();
    await openReport(visitor, report_id);
    await visitor.heading(HOSTILE).waitFor();
    await visitor.tab.getByText('Metadata').click();
    await visitor.tab.getByText('"</script>"').waitFor();
    await visitor.tab.getByText(ids.external_vehicle_id).click();
    await visitor.heading(`History of ${ids.external_vehicle_id}`).waitFor();
    expect(alerts).toEqual([]);
  });

  it('the keyboard alone is enough to open a report from the list, open a dialog and return', async () => {
    const plate = `KEYBOARD ${randomUUID().slice(0, 8)}`;
    const { report_id } = (await shop().api.create({ plate_number: plate, template: 'tire_4t_0s' })).done;
    const visitor = await shop().owner();
    await visitor.open(`${shop().path}/reports`);
    await visitor.link(plate).waitFor();
    const tabTo = async (name: string | RegExp, role: 'link' | 'button' = 'link') => {
      const wanted = visitor.tab.getByRole(role, { name, exact: true });
      for (let pressed = 0; pressed < 60; pressed += 1) {
        if (await wanted.evaluate((element) => (element as unknown as { matches: (of: string) => boolean }).matches(':focus'))) return;
        await visitor.tab.keyboard.press('Tab');
      }
      throw new Error(`Sixty times Tab did not lead to ${String(name)}`);
    };
    await tabTo(plate);
    await visitor.tab.keyboard.press('Enter');
    await visitor.heading(plate).waitFor();
    expect(visitor.tab.url()).toContain(report_id);
    await tabTo('Add photograph: Front left, Tread', 'button');
    await visitor.tab.keyboard.press('Enter');
    await visitor.tab.getByRole('dialog').waitFor();
    await visitor.tab.keyboard.press('Escape');
    await visitor.tab.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo('Add photograph: Front left, Tread', 'button');
  });

  it('the list shows no data of another organization, and is fully translated into Korean', async () => {
    const { report_id } = (await shop().api.create({})).done;
    const stranger = await (await another()).owner();
    await stranger.open(`${shop().path}/reports/${report_id}`);
    await stranger.heading('There is no such page').waitFor();
    await stranger.leave();
    const visitor = await shop().owner();
    await openReport(visitor, report_id);
    await visitor.tab.getByLabel('Language / Language').selectOption('한국어');
    await visitor.heading('사진과 측정값').waitFor();
    await checkPage(visitor, 'report-ko');
  });

  it('name, phone number and logo of the partner are on page and PDF, in both languages', async () => {
    // Without a phone number, also for a repeated test.
    const own = await another();
    const visitor = await own.owner();
    const { links } = await own.api.report(await own.entered(visitor, 6));
    const pageAt = async (query: string) => (await fetch(`${links.share!}${query}`)).text();
    const pdfAt = async (query: string) => {
      const response = await fetch(`${links.share!}.pdf${query}`);
      const starts = Buffer.from(await response.arrayBuffer())
        .subarray(0, 5)
        .toString();
      return [starts, response.headers.get('content-type'), decodeURIComponent(response.headers.get('content-disposition') ?? '')];
    };
    expect(await pageAt('')).not.toContain('tel:');
    const image = await sharp({ create: { width: 120, height: 40, channels: 3, background: '#003366' } })
      .png()
      .toBuffer();
    await own.request(visitor, 'PATCH', 'partner', { name: 'Hanbit Tire', phone: '02-123-4567' });
    const changed = await own.request<Partner>(visitor, 'POST', 'partner/logo', { image: image.toString('base64') });
    expect(changed).toMatchObject({ name: 'Hanbit Tire', phone: '02-123-4567', logo: { width_px: 120, height_px: 40 } });
    for (const [query, locale, headline, file] of [
      ['', 'ko-KR', '입력된 홈 깊이가 충분합니다.', '타이어-점검-리포트'],
      ['?lang=en', 'en-US', 'The groove depths that were entered are enough.', 'tire-inspection-report'],
    ] as const) {
      const html = await pageAt(query);
      for (const part of [`<html lang="${locale}">`, headline, 'Hanbit Tire', '<a href="tel:021234567">02-123-4567</a>'])
        expect(html).toContain(part);
      const logo = await fetch(/<img src="([^"]+)" width="120" height="40"/.exec(html)![1]!.replaceAll('&amp;', '&'));
      expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(await pdfAt(query)).toEqual(['%PDF-', 'application/pdf', expect.stringContaining(file)]);
    }
  });
});

/** The tires of one axle have similar wear, and each has a little more than the one before it. */
function worn<Entry extends { slot_id: string; analysis: { result: unknown } }>(entry: Entry, depthMm: number): Entry {
  if (!entry.slot_id.startsWith('tire.tread.')) return entry;
  const lowestMm = depthMm + 0.2 * TREADS.findIndex(({ slot }) => slotId(slot) === entry.slot_id);
  const result = { ...(entry.analysis.result as object), individual_depths: { individual_remaining_depth: [lowestMm, lowestMm + 1] } };
  return { ...entry, analysis: { ...entry.analysis, result } };
}

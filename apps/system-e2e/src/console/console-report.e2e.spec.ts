import { randomUUID } from 'node:crypto';
import { type ContentSection, type Report } from '@tire/contracts/api';
import { ReportDetail } from '@tire/contracts/console';
import { formatDepth, type Slot } from '@tire/kernel';
import { becomes, describeWithBrowser, type Visitor } from '@tire/test-harness';
import { answer, atTheShop } from './console-shop';
import { ImageHost } from '../images/image-host';
import { imageOf, imagesFolder } from '../images/sample-images';
import { EVERY_SLOT, reportThat, settled, slotOf, tread, uploaded, withBroken } from '../reports/reports';

/** Each measurement may take long on a busy machine. */
const MEASURED_WITHIN_MS = 180_000;
const LONG_AGO = '2026-01-02T03:04:05.000Z';
const fileOf = ({ image_type, position }: Slot) => `${imagesFolder()}/${image_type}-${position}.jpg`;

describeWithBrowser('one report in the console, in a browser', () => {
  const { shop, checkPage, expectErrors, openReport } = atTheShop();
  let images: ImageHost;

  beforeAll(async () => {
    images = await ImageHost.open();
  });
  afterAll(() => images?.close());

  let measured: Promise<Report> | undefined;
  /** One report for all tests that only read one: measuring eight images takes a while. After a failure the next test measures again. */
  const measuredReport = (): Promise<Report> =>
    (measured ??= measure().catch((error: unknown) => {
      measured = undefined;
      throw error;
    }));
  async function measure(): Promise<Report> {
    const known = { plate_number: '56다 7788', external_vehicle_id: 'fleet-8', metadata: { branch: 'Seoul 1' } };
    const { report_id } = await uploaded(shop().api, { template: 'tire_4t_4s', ...known }, EVERY_SLOT);
    return settled(shop().api, report_id, MEASURED_WITHIN_MS);
  }

  const slot = (visitor: Visitor, name: string) => visitor.tab.getByRole('listitem').filter({ has: visitor.heading(name) });
  /** The number of loaded images. A missing image has width 0 in the browser. */
  const imagesShown = (visitor: Visitor) =>
    visitor.tab.evaluate<number>(`(async () => {
      const all = [...document.querySelectorAll('.photo img')];
      await Promise.all(all.map((image) => image.decode()));
      return all.filter(({ naturalWidth }) => naturalWidth > 0).length;
    })()`);

  it('a report shows all its data, and its photographs with their grooves, rotated by the values of its content', async () => {
    const report = await measuredReport();
    const content = (await shop().api.call('getContent', { report: report.report_id })).done;
    const visitor = await shop().owner();
    await openReport(visitor, report.report_id);
    // Images far below load when the visitor scrolls near them.
    for (const place of await visitor.tab.locator('.slot').all()) await place.scrollIntoViewIfNeeded();
    await visitor.tab.getByRole('img', { name: 'Photograph: Rear right, Sidewall' }).waitFor();
    await becomes(() => imagesShown(visitor), 8);
    for (const { slot_id, groove_masks, coordinate_system } of content.render_data.tread_overlays) {
      const [, , position = ''] = slot_id.split('.');
      const name = `${position.replace('_', ' ').replace(/^./, (first) => first.toUpperCase())}, Tread`;
      const card = slot(visitor, name);
      await becomes(async () => [name, await card.locator('polygon').count()], [name, groove_masks.length]);
      const { rotation_degrees_clockwise: degrees, mirror_x } = coordinate_system;
      const drawn = await card
        .locator('.photo-turn')
        .evaluate((element) => (element as unknown as { style: { transform: string } }).style.transform);
      expect(drawn).toBe(`${mirror_x ? 'scaleX(-1) ' : ''}rotate(${(Math.round(degrees) + 360) % 360}deg)`);
      const { individual_depths } = slotOf(report, tread(position as Slot['position'])).analysis.result as never as {
        individual_depths: { individual_remaining_depth: number[] };
      };
      const depths = individual_depths.individual_remaining_depth.map((depthMm) => formatDepth(depthMm));
      await becomes(() => card.locator('.depths li').allInnerTexts(), depths);
    }
    await slot(visitor, 'Front left, Sidewall').getByText('225/45R17').waitFor();
    await visitor.tab.getByText(content.overall!.headline).waitFor();
    for (const { wear_pattern } of content.tires) await visitor.tab.getByText(wear_pattern!.description).first().waitFor();
    await becomes(() => visitor.tab.locator('.braking li').count(), content.sections.some(isDrawn) ? 2 : 0);
    await visitor.tab.getByRole('img', { name: 'QR code of the share link' }).waitFor();
    await becomes(() => visitor.tab.getByRole('textbox', { name: 'Link' }).innerText(), report.links.share);
    await visitor.tab.getByText('Seoul 1').waitFor({ state: 'hidden' });
    await visitor.tab.getByText('Metadata').click();
    await visitor.tab.getByText('Seoul 1').waitFor();
    const past = visitor.tab.getByRole('list', { name: 'History' }).getByRole('listitem');
    const few = await past.count();
    await visitor.tab.getByText('For support', { exact: true }).click();
    await becomes(() => visitor.tab.getByRole('textbox', { name: 'Trace id' }).innerText(), expect.stringMatching(/^[0-9a-f]{32}$/));
    await visitor.tab.getByRole('switch', { name: 'Include each photograph' }).check();
    await becomes(async () => (await past.count()) > few + EVERY_SLOT.length, true);
    await visitor.tab.getByRole('switch', { name: 'Include each photograph' }).uncheck();
    await checkPage(visitor, 'report');
    await visitor.heading('Text for the customer').scrollIntoViewIfNeeded();
    await visitor.tab.getByRole('switch', { name: 'Show the grooves' }).uncheck();
    await becomes(() => visitor.tab.locator('polygon').count(), 0);
  });

  it('a photograph that fails to load shows an error, and loads on retry', async () => {
    const { report_id } = await measuredReport();
    const visitor = await shop().owner();
    expectErrors('ERR_FAILED');
    await visitor.tab.route('**/objects/**', (route) => route.abort());
    await openReport(visitor, report_id);
    const card = slot(visitor, 'Front left, Tread');
    await card.getByText('The photograph cannot be shown.').waitFor();
    await visitor.tab.unroute('**/objects/**');
    await card.getByRole('button', { name: 'Try again: Front left, Tread' }).click();
    await card.getByRole('img', { name: 'Photograph: Front left, Tread' }).waitFor();
  });

  it('an unmeasurable photograph shows the reason, and a direct upload to the storage replaces it', async () => {
    const [broken, missing] = [tread('rear_left'), tread('rear_right')];
    const list = withBroken(images, [tread('front_left')], [broken, missing], randomUUID());
    const { report_id } = (await shop().api.create({ template: 'tire_4t_0s', images: list })).done;
    await settled(shop().api, report_id, MEASURED_WITHIN_MS);
    const visitor = await shop().owner();
    // An image that could not be fetched cannot be shown.
    expectErrors(404);
    await openReport(visitor, report_id);
    await slot(visitor, 'Rear left, Tread').getByText('The file is neither a JPEG nor a PNG.').waitFor();
    await visitor.button('Measure failed photographs again').waitFor();
    await checkPage(visitor, 'report-partial');

    await visitor.button('Replace photograph: Rear left, Tread').click();
    const dialog = visitor.tab.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('Choose a photograph.').waitFor();
    await dialog.getByLabel('Photograph').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') });
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('neither a JPEG nor a PNG').waitFor();
    await dialog.getByLabel('Photograph').setInputFiles(fileOf(broken.slot));
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    await visitor.tab.route('**/objects/**', async (route) => {
      if (route.request().method() === 'PUT') await gate;
      await route.continue();
    });
    const targets: string[] = [];
    visitor.tab.on('request', (request) => request.method() === 'PUT' && targets.push(new URL(request.url()).origin));
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByRole('progressbar', { name: 'Upload progress' }).waitFor();
    // An accidental key press does not cancel an upload in progress.
    await visitor.tab.keyboard.press('Escape');
    await checkPage(visitor, 'report-upload');
    release();
    await dialog.waitFor({ state: 'detached' });
    expect(targets).toHaveLength(1);
    expect(targets[0]).not.toBe(new URL(visitor.tab.url()).origin);
    await slot(visitor, 'Rear left, Tread').getByText('Depth of the tire').waitFor({ timeout: MEASURED_WITHIN_MS });
    expect(slotOf(await shop().api.report(report_id), broken).status).toBe('success');
    await becomes(() => slot(visitor, 'Rear right, Tread').getByText('Not measured').count(), 1);

    // The address of the missing image now serves one.
    images.serve(new URL(list.at(-1)!.source.url).pathname, { bytes: imageOf(missing.slot) });
    await visitor.button('Measure failed photographs again').click();
    await visitor.heading('Measure again?').waitFor();
    await checkPage(visitor, 'report-measure-again');
    await answer(visitor, 'Measure again').click();
    await slot(visitor, 'Rear right, Tread').getByText('Depth of the tire').waitFor({ timeout: MEASURED_WITHIN_MS });
    await becomes(() => visitor.button('Measure failed photographs again').count(), 0);
  });

  it('an unavailable storage shows an error, and no input is lost', async () => {
    const { report_id } = (await shop().api.create({ template: 'tire_4t_0s' })).done;
    const visitor = await shop().owner();
    await openReport(visitor, report_id);
    expectErrors('ERR_FAILED');
    await visitor.tab.route('**/objects/**', (route) => route.abort());
    await visitor.button('Add photograph: Front left, Tread').click();
    const dialog = visitor.tab.getByRole('dialog');
    await dialog.getByLabel('Photograph').setInputFiles(fileOf(tread('front_left').slot));
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('The photograph could not be sent.').waitFor();
    await visitor.tab.unroute('**/objects/**');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.waitFor({ state: 'detached' });
    await slot(visitor, 'Front left, Tread').getByText('Depth of the tire').waitFor({ timeout: MEASURED_WITHIN_MS });
  });

  it('the share link can be reissued and revoked', async () => {
    const visitor = await shop().owner();
    const report_id = await shop().entered(visitor, 5);
    const { links } = await shop().api.report(report_id);
    await openReport(visitor, report_id);
    await visitor.tab.getByText('By hand').first().waitFor();
    await checkPage(visitor, 'report-by-hand');
    await visitor.button('Issue a new link').click();
    await visitor.heading('Issue a new link?').waitFor();
    await checkPage(visitor, 'report-reissue');
    await answer(visitor, 'Issue a new link').click();
    const shown = visitor.tab.getByRole('textbox', { name: 'Link' });
    await shown.filter({ hasNotText: links.share! }).waitFor();
    const fresh = await shown.innerText();
    expect([(await fetch(links.share!)).status, (await fetch(fresh)).status]).toEqual([410, 200]);
    await visitor.button('Revoke').click();
    await answer(visitor, 'Revoke').click();
    await visitor.tab.getByText('Revoked', { exact: true }).waitFor();
    await becomes(async () => [await shown.count(), await visitor.button('Revoke').count()], [0, 0]);
    expect((await fetch(fresh)).status).toBe(410);
  });

  it('a support member can view everything and measure again, but cannot discard', async () => {
    const { report_id, analysis_revision } = await measuredReport();
    const support = await shop().invited('Support');
    await openReport(support, report_id);
    await support.button('Measure again: Front left, Tread').waitFor();
    await becomes(() => support.button('Discard').count(), 0);
    await checkPage(support, 'report-support');
    await support.button('Measure again: Front left, Tread').click();
    await answer(support, 'Measure again').click();
    await support.tab.getByRole('dialog').waitFor({ state: 'detached' });
    const again = await reportThat(shop().api, report_id, (report) => report.analysis_revision !== analysis_revision, MEASURED_WITHIN_MS);
    expect(again.analysis_status).toBe('complete');
  });

  it('an unpublished report can be published by hand', async () => {
    const visitor = await shop().invited('Support');
    const report_id = await shop().entered(visitor, 6);
    // The service publishes automatically. This test covers a report that is still unpublished.
    const details = /\/console\/api\/projects\/[^/]+\/reports\/[^/]+$/;
    await visitor.tab.route(details, async (route) => {
      const response = await route.fetch();
      const detail = ReportDetail.parse(await response.json());
      detail.report.publication_status = 'unpublished';
      detail.report.timestamps.analysis_completed_at = LONG_AGO;
      await route.fulfill({ response, json: detail });
    });
    await openReport(visitor, report_id);
    await visitor.button('Publish').click();
    await visitor.heading('Publish this report?').waitFor();
    await checkPage(visitor, 'report-publish');
    await visitor.tab.unroute(details);
    const [published] = await Promise.all([visitor.tab.waitForResponse(/\/publish$/), answer(visitor, 'Publish').click()]);
    expect(published.status()).toBe(200);
    await visitor.tab.getByRole('status').getByText('Published', { exact: true }).waitFor();
    await visitor.tab.getByRole('dialog').waitFor({ state: 'detached' });
    await becomes(() => visitor.button('Publish').count(), 0);
  });

  it.each(['Administrator', 'Developer'] as const)('a member with the role %s has every action on a report', async (role) => {
    const visitor = await shop().invited(role);
    const report_id = await shop().entered(visitor, 3);
    await openReport(visitor, report_id);
    for (const action of ['Issue a new link', 'Revoke', 'Discard', 'Add photograph: Front left, Tread'])
      await visitor.button(action).waitFor();
    await checkPage(visitor, `report-${role.toLowerCase()}`);
    await visitor.link('Vehicles').click();
    await visitor.heading('Vehicles').waitFor();
    await openReport(visitor, report_id);
    await visitor.button('Revoke').click();
    await answer(visitor, 'Revoke').click();
    await visitor.tab.getByText('Revoked', { exact: true }).waitFor();
    expectErrors(404);
    await visitor.button('Discard').click();
    await answer(visitor, 'Discard').click();
    await visitor.tab.getByRole('list', { name: 'Reports' }).waitFor();
    expect((await shop().api.call('getReport', { report: report_id })).status).toBe(404);
  });

  it('a report can be discarded permanently', async () => {
    const owner = await shop().owner();
    const report_id = await shop().entered(owner, 4);
    await openReport(owner, report_id);
    await owner.button('Discard').click();
    await owner.heading('Discard this report for good?').waitFor();
    await checkPage(owner, 'report-discard');
    expectErrors(404);
    await answer(owner, 'Discard').click();
    await owner.tab.getByRole('list', { name: 'Reports' }).waitFor();
    expect((await shop().api.call('getReport', { report: report_id })).status).toBe(404);
    await owner.open(`${shop().path}/reports/${report_id}`);
    await owner.heading('There is no such page').waitFor();
    await checkPage(owner, 'report-gone');
  });
});

/** The page draws the section if both distances are known. */
const isDrawn = (section: ContentSection): boolean =>
  section.section_id === 'braking_distance' &&
  section.metrics.new_tire_distance_m !== null &&
  section.metrics.current_tire_distance_m !== null;

import { describeWithBrowser, launchBrowser, paintOnAPhone } from '@tire/test-harness';
import { settled, sidewall, TREADS, uploaded } from '../reports/reports';
import { apiOf, systemReady } from '../world';

const api = apiOf('live');
/** The value of the page's test: a row of pixels may move while the rest of the page still loads. */
const SHIFT_MAX = 0.01;
const SLOTS = [...TREADS, sidewall('front_left'), sidewall('rear_right')];

describeWithBrowser('the share page of a report that was measured here', () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>;

  beforeAll(async () => {
    await systemReady();
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it('loads every image from the store on a slow phone; nothing moves and the browser reports no error', async () => {
    const body = { template: 'tire_4t_2s', plate_number: '12가 3456' };
    const { links } = await settled(api, (await uploaded(api, body, SLOTS)).report_id);
    const { firstPaintMs, images, formats, shift, consoleErrors } = await paintOnAPhone(browser, links.share!);
    process.stdout.write(`First contentful paint of a measured report on a throttled phone: ${firstPaintMs.toFixed(0)} ms\n`);
    expect({ images, formats, consoleErrors }).toEqual({ images: SLOTS.length, formats: ['webp'], consoleErrors: [] });
    expect(shift).toBeLessThan(SHIFT_MAX);
  });
});

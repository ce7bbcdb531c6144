import type { Browser } from 'playwright-core';
import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { describeWithBrowser, launchBrowser, Visitor } from '@tire/test-harness';
import { docs, type Language, LANGUAGES, pagesOf } from './pages';

const PHONE = { width: 360, colorScheme: 'dark' } as const;
const DESKTOP = { width: 1280, colorScheme: 'light' } as const;
const LOOKS = [PHONE, DESKTOP, { width: 360, colorScheme: 'light' }, { width: 1280, colorScheme: 'dark' }] as const;
type Look = (typeof LOOKS)[number];

/** Each page once, in turns in Korean on a phone and in English on a desktop, or the other way round; `EVERY_LOOK=1`: everything. */
const looksAt = (language: Language, index: number): readonly Look[] =>
  process.env['EVERY_LOOK'] || process.env['SCREENSHOTS'] ? LOOKS : [(language === 'ko') === (index % 2 === 0) ? PHONE : DESKTOP];

describeWithBrowser('the pages of the guide in a browser', () => {
  let browser: Browser;
  let visitor: Visitor;

  beforeAll(async () => {
    browser = await launchBrowser();
    visitor = await Visitor.create(browser, new URL(docs()).origin);
    if (process.env['SCREENSHOTS']) mkdirSync(process.env['SCREENSHOTS'], { recursive: true });
  });
  afterAll(() => browser?.close());

  async function faultsOf(address: string, name: string, { width, colorScheme }: Look): Promise<string[]> {
    const { tab } = visitor;
    await tab.setViewportSize({ width, height: 800 });
    await tab.emulateMedia({ colorScheme });
    await tab.goto(address);
    const faults = await visitor.violations();
    const beyondPx = await tab.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    if (beyondPx > 0) faults.push(`${beyondPx} px too wide`);
    const folder = process.env['SCREENSHOTS'];
    if (folder) await tab.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    return faults.map((fault) => `${name}, ${width} px, ${colorScheme}: ${fault}`);
  }

  it.each(LANGUAGES)('are accessible and fit a phone, within their content security policy: %s', async (language) => {
    const faults: string[] = [];
    for (const [index, page] of (await pagesOf(language)).entries())
      for (const look of looksAt(language, index))
        faults.push(...(await faultsOf(`${docs()}/${language}/${page}`, `${language}-${page}`, look)));
    expect(faults).toEqual([]);
    expect(visitor.consoleErrors).toEqual([]);
  });

  it('so do the first page and that of a 404', async () => {
    const faults = [...(await faultsOf(docs(), 'index', PHONE)), ...(await faultsOf(docs(), 'index', DESKTOP))];
    expect(visitor.consoleErrors).toEqual([]);
    faults.push(...(await faultsOf(`${docs()}/nothing`, '404', PHONE)));
    expect(faults).toEqual([]);
  });

  it('are read, and their menu opens, without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } });
    try {
      const tab = await context.newPage();
      await tab.goto(`${docs()}/ko/quick-start`);
      await tab.locator('summary').click();
      await tab.locator('details').getByRole('link', { name: '웹훅' }).click();
      await tab.getByRole('heading', { name: '서명 확인' }).waitFor();
    } finally {
      await context.close();
    }
  });

  it('links to the former place of the reference still lead to their operation', async () => {
    await visitor.tab.goto(`${docs()}#createReport`);
    await visitor.tab.getByRole('heading', { name: 'Create a report.' }).waitFor();
    expect(visitor.tab.url()).toMatch(/\/docs\/reference#tag\/Reports\/operation\/createReport$/);
  });
});

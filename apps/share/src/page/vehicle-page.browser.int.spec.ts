import { describeWithBrowser, launchBrowser } from '@tire/test-harness';
import axe from 'axe-core';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { vehiclePdf } from '../pdf/vehicle-pdf';
import { LOGO, logoPng, partnerFixture } from '../testing/partner.fixture';
import { vehicleFixture } from '../testing/vehicle.fixture';
import { vehiclePage } from './document/vehicle-page';
import { vehicleFacts } from './facts/vehicle-facts';
import { VEHICLE_WORDS } from './words/vehicle-words';

const WIDTHS = [320, 390, 1280];
const SCHEMES = ['light', 'dark'] as const;
const LANGUAGES = ['ko', 'en'] as const;
/** The folder for screenshots and PDF files, for review by a person. */
const shots = process.env['SCREENSHOTS'];

const shown = { vehicle: vehicleFixture(), showsPlate: false, timeZone: 'Asia/Seoul', now: new Date('2026-11-27T00:00:00Z') };

describeWithBrowser('the page of a vehicle in a browser', () => {
  let browser: Browser;
  let server: Server;
  let origin: string;
  let logo: Buffer;

  function pageOf(language: (typeof LANGUAGES)[number], isEmpty: boolean) {
    const words = VEHICLE_WORDS[language];
    const other = VEHICLE_WORDS[language === 'ko' ? 'en' : 'ko'].base;
    const vehicle = isEmpty ? { vehicleIds: [], inspections: [], wear: [], hasSamples: true } : shown.vehicle;
    return vehiclePage({
      words,
      facts: vehicleFacts(words, { ...shown, vehicle }),
      partner: partnerFixture(`${origin}/logo.png`),
      imageOrigin: origin,
      cardUrl: `${origin}/card.png`,
      pdfUrl: `${origin}/page.pdf`,
      others: [{ words: other, url: `${origin}/?lang=${other.language}` }],
    });
  }

  beforeAll(async () => {
    logo = await logoPng();
    server = createServer((request, response) => {
      if (request.url?.startsWith('/logo')) return void response.setHeader('content-type', 'image/png').end(logo);
      const [, language, kind] = request.url!.split('/');
      if (language !== 'ko' && language !== 'en') return void response.writeHead(404).end();
      const { status, headers, html } = pageOf(language, kind === 'empty');
      response.writeHead(status, headers).end(html);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
    if (shots) await mkdir(shots, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  it.each(LANGUAGES.flatMap((language) => ['whole', 'empty'].map((kind) => [language, kind] as const)))(
    '%s, %s: nothing overflows at any width, the console is empty, and axe finds nothing, light and dark',
    async (language, kind) => {
      const context = await browser.newContext({ bypassCSP: true });
      const tab = await context.newPage();
      const said: string[] = [];
      tab.on('console', (message) => said.push(message.text()));
      tab.on('pageerror', (error) => said.push(error.message));
      try {
        for (const width of WIDTHS)
          for (const colorScheme of SCHEMES) {
            await tab.setViewportSize({ width, height: 844 });
            await tab.emulateMedia({ colorScheme });
            await tab.goto(`${origin}/${language}/${kind}`);
            await tab.addScriptTag({ content: axe.source });
            const seen = await tab.evaluate<{ overflow: number; violations: string[] }>(`(async () => {
              const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
              const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] });
              return {
                overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
                violations: violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')),
              };
            })()`);
            expect({ width, colorScheme, ...seen }).toEqual({ width, colorScheme, overflow: 0, violations: [] });
            if (shots)
              await tab.screenshot({ path: join(shots, `vehicle-${language}-${kind}-${width}-${colorScheme}.png`), fullPage: true });
          }
        // The policy of the page lets its style and the logo through, and nothing else.
        const strict = await browser.newPage();
        strict.on('console', (message) => said.push(message.text()));
        await strict.goto(`${origin}/${language}/${kind}`);
        expect(await strict.evaluate<number>(`document.querySelector('.partner img').naturalWidth`)).toBe(LOGO.widthPx);
        if (shots) await writeFile(join(shots, `vehicle-${language}-${kind}-print.pdf`), await strict.pdf({ format: 'A4' }));
        await strict.close();
        expect(said).toEqual([]);
      } finally {
        await context.close();
      }
    },
  );

  it('a PDF to look at', async () => {
    const partner = { ...partnerFixture(''), logo: { png: logo, ...LOGO } };
    for (const language of LANGUAGES) {
      const pdf = await vehiclePdf({ shown, language, partner });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      if (shots) await writeFile(join(shots, `vehicle-${language}.pdf`), pdf);
    }
  });
});

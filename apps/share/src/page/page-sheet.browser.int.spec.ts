import { describeWithBrowser, launchBrowser } from '@tire/test-harness';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { reportPdf } from '../pdf/report-pdf';
import { readPdf } from '../testing/pdf.fixture';
import { isSidewall } from '../testing/images-of-reports.fixture';
import { LOGO, logoPng, otherLanguage, partnerFixture } from '../testing/partner.fixture';
import { LOCALES, REPORT_NAMES, reportFixture } from '../testing/reports.fixture';
import { closedPage } from './document/closed-page';
import { assetIds } from './facts/facts';
import { reportPage } from './document/report-page';

/** The folder of the contact sheets: what people see of each kind of report, for review. Without it there is nothing to do. */
const folder = process.env['PAGE_SHEETS'];

const ROOT = join(__dirname, '../../../..');
const IMAGES = {
  tire: { file: join(__dirname, '../testing/tire.jpg'), widthPx: 900, heightPx: 1_200 },
  sidewall: { file: join(ROOT, 'apps/inference/models/sidewall/golden.jpg'), widthPx: 1_100, heightPx: 1_100 },
};
const PHONE = { width: 360, height: 800, columnPx: 250 };
const DESKTOP = { width: 1_000, height: 800, columnPx: 470 };
const ON_DESKTOP: (typeof REPORT_NAMES)[number] = 'bald-shoulder-side-unknown';
const WITHOUT_PARTNER: readonly string[] = ['good', 'manual-critical'];
const GAP_PX = 12;
/** The limit of one sheet. */
const BYTES_MAX = 1_600_000;

const kindOf = (assetId: string): keyof typeof IMAGES => (isSidewall(assetId) ? 'sidewall' : 'tire');

/** The texture of rubber would be most of the bytes of a sheet, and the sheets are about everything else. */
const coarse = (kind: keyof typeof IMAGES): Promise<Buffer> => sharp(IMAGES[kind].file).resize({ width: 140 }).jpeg().toBuffer();

(folder === undefined ? describe.skip : describeWithBrowser)('the contact sheet of pages and PDFs', () => {
  let browser: Browser;
  let server: Server;
  let origin: string;
  const pages = new Map<string, { status: number; html: string; headers: Record<string, string> }>();

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? '';
      const kind = /^\/(tire|sidewall)\.jpg/.exec(path)?.[1] as keyof typeof IMAGES | undefined;
      if (kind) return void coarse(kind).then((bytes) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes));
      if (path === '/logo.png') return void logoPng().then((bytes) => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes));
      const page = pages.get(path);
      if (!page) return void response.writeHead(204).end();
      response.writeHead(page.status, page.headers).end(page.html);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  async function screenshot(path: string, viewport: typeof PHONE): Promise<Buffer> {
    const context = await browser.newContext({ viewport, deviceScaleFactor: 1 });
    try {
      const tab = await context.newPage();
      tab.setDefaultTimeout(100_000);
      await tab.goto(`${origin}${path}`);
      await tab.evaluate(`Promise.all([...document.images].map((image) => image.decode()))`);
      return await tab.screenshot({ fullPage: true });
    } finally {
      await context.close();
    }
  }

  /** The page, and the sheets of the PDF under it. */
  async function column(shots: readonly Buffer[], width: number): Promise<{ png: Buffer; widthPx: number; heightPx: number }> {
    const scaled = await Promise.all(shots.map((shot) => sharp(shot).resize({ width }).png().toBuffer({ resolveWithObject: true })));
    let top = 0;
    const placed = scaled.map(({ data, info }) => {
      const at = { input: data, left: 0, top };
      top += info.height + GAP_PX;
      return at;
    });
    const png = await sharp({ create: { width, height: top, channels: 3, background: '#8b949e' } })
      .composite(placed)
      .png()
      .toBuffer();
    return { png, widthPx: width, heightPx: top };
  }

  it.each(LOCALES)('in %s', async (locale) => {
    const columns: Awaited<ReturnType<typeof column>>[] = [];
    for (const name of REPORT_NAMES) {
      const content = reportFixture(name, locale);
      const images = new Map(
        assetIds(content).map((assetId) => {
          const { widthPx, heightPx } = IMAGES[kindOf(assetId)];
          const url = `${origin}/${kindOf(assetId)}.jpg`;
          return [assetId, { thumbnailUrl: url, smallUrl: url, orientation: 1, widthPx, heightPx }] as const;
        }),
      );
      const partner = WITHOUT_PARTNER.includes(name) ? null : partnerFixture(`${origin}/logo.png`);
      const others = otherLanguage(locale, `${origin}/${name}`);
      pages.set(
        `/${name}`,
        reportPage({ content, images, imageOrigin: origin, cardUrl: `${origin}/c`, pdfUrl: `${origin}/p`, partner, others }),
      );
      const drawn = new Map(
        await Promise.all(
          [...images].map(async ([assetId, { orientation, widthPx, heightPx }]) => {
            const jpeg = await coarse(kindOf(assetId));
            return [assetId, { jpeg, orientation, widthPx, heightPx }] as const;
          }),
        ),
      );
      const sheets = await readPdf(
        await reportPdf({ content, images: drawn, partner: partner && { ...partner, logo: { ...LOGO, png: await logoPng() } } }),
        2,
      );
      const pngs = sheets.map(({ rgb, widthPx, heightPx }) =>
        sharp(rgb, { raw: { width: widthPx, height: heightPx, channels: 3 } })
          .png()
          .toBuffer(),
      );
      columns.push(await column([await screenshot(`/${name}`, PHONE), ...(await Promise.all(pngs))], PHONE.columnPx));
    }
    pages.set('/partial', closedPage('partial', locale === 'en-US' ? 'en' : 'ko'));
    columns.push(await column([await screenshot('/partial', PHONE)], PHONE.columnPx));
    columns.push(await column([await screenshot(`/${ON_DESKTOP}`, DESKTOP)], DESKTOP.columnPx));
    const lefts = columns.map((_, index) => columns.slice(0, index).reduce((sum, { widthPx }) => sum + widthPx + GAP_PX, GAP_PX));
    const width = columns.reduce((sum, { widthPx }) => sum + widthPx + GAP_PX, GAP_PX);
    const height = Math.max(...columns.map(({ heightPx }) => heightPx)) + 2 * GAP_PX;
    const sheet = await sharp({ create: { width, height, channels: 3, background: '#8b949e' } })
      .composite(columns.map(({ png }, index) => ({ input: png, left: lefts[index]!, top: GAP_PX })))
      .webp({ quality: 45, effort: 6 })
      .toBuffer();
    await mkdir(folder!, { recursive: true });
    await writeFile(join(folder!, `sheet-${locale}.webp`), sheet);
    expect(sheet.length).toBeLessThan(BYTES_MAX);
  });
});

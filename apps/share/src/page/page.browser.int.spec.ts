import { Content } from '@tire/contracts/api';
import { becomes, describeWithBrowser, hasKoreanLetters, launchBrowser, paintOnAPhone, sampled } from '@tire/test-harness';
import axe from 'axe-core';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page as Tab } from 'playwright-core';
import { readPdf } from '../testing/pdf.fixture';
import { isSidewall } from '../testing/images-of-reports.fixture';
import { pageFiles } from '../testing/page-files.fixture';
import { otherLanguage, partnerFixture } from '../testing/partner.fixture';
import { LOCALES, reportFixture } from '../testing/reports.fixture';
import { type ClosedReason, closedPage } from './document/closed-page';
import { labelInPlace } from './facts/facts';
import { reportPage } from './document/report-page';

const ROOT = join(__dirname, '../../../..');
const GOLDENS = join(ROOT, 'apps/content/src/domain/goldens');
const IMAGE_SIZE = { widthPx: 900, heightPx: 1_200 };
const SIDEWALL_SIZE = { widthPx: 1_100, heightPx: 1_100 };

/** The variants of a report: each verdict, each wear pattern, missing parts, manual input, no sidewalls. */
const REPORTS = [
  'good-used-tires',
  'caution-wear-and-axle-difference',
  'critical-and-caution',
  'wear-every-pattern',
  'missing-all-photos',
  'missing-one-unread-tire',
  'manual-without-some-depths',
  'template-4t-0s',
];
/** The reports that together have every fact of ruleset 2.0. */
const TODAY = [
  'critical-likely-and-caution',
  'bald-shoulder-side-unknown',
  'worn-smooth',
  'similar-photograph-critical',
  'sizes-mixed-front',
];
const OF_TODAY = TODAY.flatMap((name) => LOCALES.map((locale) => `${name}-${locale}`));
const CLOSED: readonly ClosedReason[] = [
  'unknown',
  'processing',
  'awaiting_images',
  'partial',
  'failed',
  'legacy',
  'revoked',
  'expired',
  'discarded',
  'unavailable',
];
const WIDTHS = [320, 768, 1280];
const SCHEMES = ['light', 'dark'] as const;
/** The folder for screenshots and PDF files, for review by a person. */
const shots = process.env['SCREENSHOTS'];

interface SeenMark {
  readonly text: string;
  /** Its direction on the screen. */
  readonly matrix: readonly number[];
  readonly onItsGroove: boolean;
  readonly within: boolean;
  /** The number of other marks that it overlaps on its image. */
  readonly overlaps: number;
}

const MARKS = `[...document.querySelectorAll('.turn')].flatMap((turn) => {
  turn.scrollIntoView({ block: 'center' });
  const frame = turn.closest('.photo').getBoundingClientRect();
  const marks = [...turn.querySelectorAll('b')];
  const boxes = marks.map((mark) => mark.getBoundingClientRect());
  const outlines = turn.querySelectorAll('path');
  return marks.map((mark, index) => {
    const { a, b, c, d } = new DOMMatrix(getComputedStyle(turn).transform).multiply(new DOMMatrix(getComputedStyle(mark).transform));
    const { left, right, top, bottom } = boxes[index];
    const overlap = (other) => other.left < right && other.right > left && other.top < bottom && other.bottom > top;
    return {
      text: mark.innerText,
      matrix: [a, b, c, d].map((value) => Math.round(value * 1_000) / 1_000 + 0),
      onItsGroove: document.elementsFromPoint((left + right) / 2, (top + bottom) / 2).includes(outlines[index]),
      within: left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom,
      overlaps: boxes.filter(overlap).length - 1,
    };
  });
})`;

/** A row of pixels may move while the rest of the page still loads: 0.003 at most, on a busy machine. */
const SHIFT_MAX = 0.01;

describeWithBrowser('the share page in a browser', () => {
  const contents = new Map<string, Content>();
  let browser: Browser;
  let server: Server;
  let origin: string;

  function pageOf(name: string) {
    const content = contents.get(name);
    if (!content) return CLOSED.includes(name as ClosedReason) ? closedPage(name as ClosedReason) : undefined;
    const assets = [...content.render_data.tread_overlays, ...content.render_data.sidewall_specs].map(({ asset }) => asset.asset_id);
    const images = new Map(
      assets.map((assetId) => {
        const [address, size] = isSidewall(assetId) ? [`${origin}/sidewall`, SIDEWALL_SIZE] : [`${origin}/tire`, IMAGE_SIZE];
        return [
          assetId,
          { thumbnailUrl: `${address}.webp?${assetId}`, smallUrl: `${address}.jpg?${assetId}`, orientation: 1, ...size },
        ] as const;
      }),
    );
    return reportPage({
      content,
      images,
      imageOrigin: origin,
      cardUrl: `${origin}/r/card.png`,
      pdfUrl: `${origin}/r/${name}.pdf`,
      ...(OF_TODAY.includes(name) && {
        partner: partnerFixture(`${origin}/logo.png`),
        others: otherLanguage(content.content_profile.locale, `${origin}/r/${name}`),
      }),
    });
  }

  beforeAll(async () => {
    for (const name of REPORTS) contents.set(name, Content.parse(JSON.parse(await readFile(join(GOLDENS, `${name}.json`), 'utf8'))));
    for (const name of TODAY) for (const locale of LOCALES) contents.set(`${name}-${locale}`, reportFixture(name, locale));
    const files = await pageFiles();
    server = createServer((request, response) => {
      const file = files.get(request.url?.split('?')[0] ?? '');
      if (file) return void response.writeHead(200, { 'content-type': file.type }).end(file.bytes);
      const page = pageOf(request.url?.slice('/r/'.length) ?? '');
      if (!page) return void response.writeHead(204).end();
      response.writeHead(page.status, page.headers).end(page.html);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (shots) await mkdir(shots, { recursive: true });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  async function withTab<T>(options: BrowserContextOptions, work: (tab: Tab, complaints: string[]) => Promise<T>): Promise<T> {
    const context = await browser.newContext({ locale: 'ko-KR', ...options });
    try {
      const [tab, complaints]: [Tab, string[]] = [await context.newPage(), []];
      tab.setDefaultTimeout(100_000);
      tab.on('console', (message) => complaints.push(message.text()));
      tab.on('pageerror', (error) => complaints.push(error.message));
      return await work(tab, complaints);
    } finally {
      await context.close();
    }
  }

  const open = async (tab: Tab, name: string): Promise<void> => {
    await tab.goto(`${origin}/r/${name}`);
    await tab.evaluate(`Promise.all([...document.images].map((image) => image.decode()))`);
  };

  /** One tab for both color schemes and all widths: a new tab costs more than the checks in it. */
  it.each([...REPORTS, ...OF_TODAY, ...CLOSED])(
    '%s fits every width, loads everything and logs nothing, in light and dark',
    async (name) => {
      await withTab({}, async (tab, complaints) => {
        await open(tab, name);
        for (const colorScheme of SCHEMES) {
          await tab.emulateMedia({ colorScheme });
          for (const width of WIDTHS) {
            await tab.setViewportSize({ width, height: 800 });
            const seen = await tab.evaluate(`({
            overflowPx: document.documentElement.scrollWidth - document.documentElement.clientWidth,
            broken: [...document.images].filter((image) => image.naturalWidth === 0).length,
            headings: document.querySelectorAll('h1').length,
          })`);
            expect({ width, ...(seen as object) }).toEqual({ width, overflowPx: 0, broken: 0, headings: 1 });
            if (shots) await tab.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: true });
          }
        }
        // A page that is not open has an error status, which the browser logs to its console.
        expect(complaints.filter((text) => !/status of (403|404|410|503)/.test(text))).toEqual([]);
      });
    },
  );

  /** The policy of the page prevents injected scripts, which a separate test checks. */
  it.each(sampled([...REPORTS, ...OF_TODAY, ...CLOSED], 3))('%s is accessible by WCAG 2.2 AA', async (name) => {
    await withTab({ viewport: { width: 320, height: 800 }, bypassCSP: true }, async (tab) => {
      await open(tab, name);
      await tab.evaluate(axe.source);
      for (const colorScheme of SCHEMES) {
        await tab.emulateMedia({ colorScheme });
        const violations = await tab.evaluate<string[]>(`(async () => {
          const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
          const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] });
          return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '));
        })()`);
        expect({ colorScheme, violations }).toEqual({ colorScheme, violations: [] });
      }
    });
  });

  it.each(REPORTS)('%s shows the verdict, each tire at its position, and the sections in order', async (name) => {
    const { overall, tires, sections } = contents.get(name)!;
    await withTab({ viewport: { width: 390, height: 800 } }, async (tab) => {
      await open(tab, name);
      await becomes(() => tab.locator('h1').innerText(), overall!.headline);
      for (const tire of tires) {
        const place = tab.locator(`.at.${tire.position}`);
        const box = (await place.boundingBox())!;
        expect([box.x < 195, tire.position.endsWith('left')]).toEqual([tire.position.endsWith('left'), tire.position.endsWith('left')]);
        const text = await place.innerText();
        expect(text).toContain(labelInPlace(tire));
        const depthMm = tire.minimum_remaining_depth_mm;
        expect(text).toContain(depthMm === null ? '깊이 확인 불가' : `${depthMm.toFixed(1)}mm`);
      }
      const headings = await tab.locator('section h2').allInnerTexts();
      const titles = [...sections].sort((a, b) => a.order - b.order).map(({ title }) => title);
      expect(headings.filter((heading) => titles.includes(heading))).toEqual(titles);
    });
  });

  it('draws grooves above the image, first turned and then flipped', async () => {
    const [overlay] = contents.get('wear-every-pattern')!.render_data.tread_overlays;
    const { rotation_degrees_clockwise: degrees, mirror_x } = overlay!.coordinate_system;
    await withTab({ viewport: { width: 390, height: 800 } }, async (tab) => {
      await open(tab, 'wear-every-pattern');
      const drawn = await tab.evaluate<{ matrix: number[]; same: boolean; outlines: number }>(`(() => {
        const turn = document.querySelector('.turn');
        const { a, b, c, d } = new DOMMatrix(getComputedStyle(turn).transform);
        const [image, drawing] = ['img', 'svg'].map((part) => turn.querySelector(part).getBoundingClientRect());
        const same = ['x', 'y', 'width', 'height'].every((key) => Math.abs(image[key] - drawing[key]) < 1);
        return { matrix: [a, b, c, d].map(Math.round), same, outlines: turn.querySelectorAll('path').length };
      })()`);
      const radians = (degrees * Math.PI) / 180;
      const flip = mirror_x ? -1 : 1;
      const [cos, sin] = [Math.round(Math.cos(radians)), Math.round(Math.sin(radians))];
      expect(drawn.matrix.map((value) => value + 0)).toEqual([flip * cos, sin, flip * -sin, cos].map((value) => value + 0));
      expect([drawn.same, drawn.outlines]).toEqual([true, overlay!.groove_masks.length]);
    });
  });

  it.each(REPORTS)('%s draws each depth on its groove, upright, without overlaps and within the image, at every width', async (name) => {
    const overlays = contents.get(name)!.render_data.tread_overlays;
    const expected = overlays.flatMap(({ groove_masks }) => groove_masks.map(({ depth_mm }) => depth_mm!.toFixed(1)));
    await withTab({}, async (tab) => {
      await open(tab, name);
      for (const width of WIDTHS) {
        await tab.setViewportSize({ width, height: 800 });
        const marks = await tab.evaluate<SeenMark[]>(MARKS);
        expect(marks.map(({ text }) => text)).toEqual(expected);
        for (const { text, ...seen } of marks) {
          expect({ width, text, ...seen }).toEqual({ width, text, matrix: [1, 0, 0, 1], onItsGroove: true, within: true, overlaps: 0 });
        }
      }
    });
  });

  it('positions depths and grooves before the images are loaded', async () => {
    await withTab({ viewport: { width: 320, height: 800 } }, async (tab) => {
      let release = () => undefined as void;
      const released = new Promise<void>((resolve) => (release = resolve));
      await tab.route('**/tire.webp*', (route) => released.then(() => route.continue()));
      await tab.goto(`${origin}/r/critical-and-caution`, { waitUntil: 'domcontentloaded' });
      const places = `[...document.querySelectorAll('.turn svg, .turn b')].map((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return [left, top, right, bottom].map(Math.round);
      })`;
      const before = await tab.evaluate<number[][]>(places);
      release();
      await tab.waitForLoadState('load');
      expect(before).toHaveLength(4 + 16);
      expect(await tab.evaluate<number[][]>(places)).toEqual(before);
    });
  });

  it('loads all images at once, without scrolling', async () => {
    await withTab({ viewport: { width: 320, height: 480 } }, async (tab) => {
      await tab.goto(`${origin}/r/critical-and-caution`);
      const loaded = await tab.evaluate<boolean[]>(`[...document.images].map((image) => image.complete && image.naturalWidth > 0)`);
      expect(loaded).toEqual(Array(8).fill(true));
    });
  });

  it('has no layout shifts on a phone with a slow network', async () => {
    const { firstPaintMs, shift, formats } = await paintOnAPhone(browser, `${origin}/r/critical-and-caution`);
    process.stdout.write(`First contentful paint on a throttled phone: ${firstPaintMs.toFixed(0)} ms\n`);
    expect(shift).toBeLessThan(SHIFT_MAX);
    expect(formats).toEqual(['webp']);
  });

  it.each(CLOSED)('%s shows instructions that match its status, and nothing else', async (name) => {
    const { status, html } = closedPage(name);
    await withTab({ viewport: { width: 320, height: 800 } }, async (tab) => {
      const response = await tab.goto(`${origin}/r/${name}`);
      expect(response!.status()).toBe(status);
      const [heading, sentences, english] = await Promise.all([
        tab.locator('h1').innerText(),
        tab.locator('main p').allInnerTexts(),
        tab.locator('[lang=en-US] h2').innerText(),
      ]);
      expect(html).toContain(`<title>${heading}</title>`);
      const lines = (await tab.locator('body').innerText()).split('\n').filter((line) => line.trim() !== '');
      expect(lines).toEqual([heading, sentences[0], english, sentences[1]]);
      await becomes(() => tab.locator('img, a').count(), 0);
    });
  });

  (hasKoreanLetters() ? it : it.skip).each(sampled([...REPORTS, ...CLOSED], 3))('%s prints to clean pages', async (name) => {
    await withTab({ viewport: { width: 794, height: 1_123 } }, async (tab) => {
      await open(tab, name);
      await tab.emulateMedia({ media: 'print' });
      const overflowPx = await tab.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect(overflowPx).toBe(0);
      const pdf = await tab.pdf({ ...(shots ? { path: join(shots, `${name}.pdf`) } : {}), preferCSSPageSize: true, printBackground: true });
      const pages = await readPdf(pdf);
      for (const { widthPt, heightPt } of pages) expect([Math.round(widthPt), Math.round(heightPt)]).toEqual([595, 842]);
      const text = pages.map((page) => page.text).join(' ');
      expect(text).toContain(contents.get(name)?.overall?.headline ?? (await tab.locator('h1').innerText()));
      for (const { title } of contents.get(name)?.sections ?? []) expect(text).toContain(title);
      expect(text).not.toContain('PDF로 보기');
    });
  });
});

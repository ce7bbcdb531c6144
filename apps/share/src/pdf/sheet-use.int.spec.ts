import type { Content } from '@tire/contracts/api';
import { sampled } from '@tire/test-harness';
import { assetIds } from '../page/facts/facts';
import { readPdf } from '../testing/pdf.fixture';
import { isSidewall } from '../testing/images-of-reports.fixture';
import { LOCALES, REPORT_NAMES, reportFixture } from '../testing/reports.fixture';
import sharp from 'sharp';
import { PAGE } from './sheet';
import { reportPdf } from './report-pdf';

const WHITE = 255;
const THIRD = 1 / 3;
const HALF = 1 / 2;
/** The space above the page number. */
const FOOT_PT = 14;

/** The share of the height inside the margins that has something on it. */
function usedShare({ rgb, widthPx }: { readonly rgb: Uint8Array; readonly widthPx: number }): number {
  const bottom = PAGE.heightPt - PAGE.marginPt - FOOT_PT;
  let lowest = PAGE.marginPt;
  for (let pixel = 0; pixel < widthPx * Math.floor(bottom); pixel++) if (rgb[3 * pixel]! < WHITE - 3) lowest = Math.floor(pixel / widthPx);
  return (lowest - PAGE.marginPt) / (bottom - PAGE.marginPt);
}

const CASES = LOCALES.flatMap((locale) => REPORT_NAMES.map((name) => [name, locale] as const));

const LONG = LOCALES.flatMap((locale) => ['part-unclear', 'part-outside-photograph'].map((name) => [name, locale] as const));

async function uses(content: Content, what: string): Promise<void> {
  const jpegOf = async (widthPx: number, heightPx: number) => ({
    jpeg: await sharp({ create: { width: widthPx / 10, height: heightPx / 10, channels: 3, background: '#456' } })
      .jpeg()
      .toBuffer(),
    orientation: 1,
    widthPx,
    heightPx,
  });
  const [tire, sidewall] = [await jpegOf(900, 1_200), await jpegOf(1_100, 1_100)];
  const images = new Map(assetIds(content).map((assetId) => [assetId, isSidewall(assetId) ? sidewall : tire]));
  const used = (await readPdf(await reportPdf({ content, images }))).map(usedShare);
  expect(used.at(-1)).toBeGreaterThan(THIRD);
  for (const share of used.slice(0, -1)) expect(share).toBeGreaterThan(HALF);
  process.stdout.write(`PDF ${what}: ${used.map((share) => `${Math.round(100 * share)} %`).join(', ')}\n`);
}

describe('how much of the sheets a PDF uses', () => {
  it.each(sampled(CASES, 3))('%s in %s', async (name, locale) => {
    await uses(reportFixture(name, locale), `${locale} ${name}`);
  });

  it.each(LONG)('%s in %s, with long texts about every tire', async (name, locale) => {
    const content = reportFixture(name, locale);
    const [first] = content.tires;
    const tires = content.tires.map((tire) => ({ ...tire, narrative: `${first!.narrative} ${first!.narrative}` }));
    const overall = { ...content.overall!, paragraphs: content.overall!.paragraphs.flatMap((text) => [text, text]) };
    await uses({ ...content, tires, overall }, `${locale} ${name}, long`);
  });
});

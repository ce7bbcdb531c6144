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

describe('how much of the sheets a PDF uses', () => {
  it.each(sampled(CASES, 3))('%s in %s', async (name, locale) => {
    const content = reportFixture(name, locale);
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
    process.stdout.write(`PDF ${locale} ${name}: ${used.map((share) => `${Math.round(100 * share)} %`).join(', ')}\n`);
  });
});

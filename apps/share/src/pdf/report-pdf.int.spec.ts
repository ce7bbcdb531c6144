import { Content } from '@tire/contracts/api';
import { sampled } from '@tire/test-harness';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { maskPlate } from '../domain/plate';
import { contentFixture, FIXTURE_IDS } from '../page/content.fixture';
import { assetIds, depthInPlace, depthMissing, footnote, labelInPlace } from '../page/facts/facts';
import { wordsOf } from '../page/words/words';
import { KOREAN } from '../page/words/words-ko';
import { readPdf } from '../testing/pdf.fixture';
import { type Locale, LOCALES, REPORT_NAMES, reportFixture } from '../testing/reports.fixture';
import { type PdfImages } from './images';
import { reportPdf } from './report-pdf';

const GOLDENS = join(__dirname, '../../../content/src/domain/goldens');
/** Each verdict, each wear pattern, missing parts, manual input, no sidewalls. */
const NAMES = [
  'good-used-tires',
  'critical-and-caution',
  'critical-bald',
  'wear-every-pattern',
  'missing-all-photos',
  'missing-one-unread-tire',
  'missing-plate',
  'manual-empty',
  'manual-without-some-depths',
  'sizes-disputed-both-axles',
  'template-4t-0s',
  'template-4t-4s',
];
const golden = (name: string): Content => Content.parse(JSON.parse(readFileSync(join(GOLDENS, `${name}.json`), 'utf8')));

const MARGIN_PT = 42;
/** The gap between the text and the page number. */
const FOOT_PT = { from: 788, to: 794 };
const WHITE = 255;

const QUARTER_PX = 60;
const COLOURS = { magenta: [255, 0, 255], cyan: [0, 255, 255], blue: [0, 0, 255], black: [0, 0, 0] } as const;

/** One quarter of each colour, in rows from the upper left corner. */
async function quarters(): Promise<Buffer> {
  const side = 2 * QUARTER_PX;
  const [upperLeft, upperRight, lowerLeft, lowerRight] = Object.values(COLOURS);
  const rgb = Buffer.alloc(side * side * 3);
  for (let index = 0; index < side * side; index++) {
    const [left, upper] = [index % side < QUARTER_PX, index < side * QUARTER_PX];
    rgb.set(upper ? (left ? upperLeft! : upperRight!) : left ? lowerLeft! : lowerRight!, index * 3);
  }
  return sharp(rgb, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

describe('the report as a PDF', () => {
  let jpeg: Buffer;
  const NONE: PdfImages = new Map();
  const imagesOf = (content: Content): PdfImages =>
    new Map(assetIds(content).map((assetId) => [assetId, { jpeg, orientation: 1, widthPx: 2 * QUARTER_PX, heightPx: 2 * QUARTER_PX }]));
  const read = async (content: Content, images = imagesOf(content)) => readPdf(await reportPdf({ content, images }));
  const textOf = (pages: readonly { readonly text: string }[]) => pages.map(({ text }) => text).join(' ');

  beforeAll(async () => {
    jpeg = await quarters();
  });

  it('says first of all that a report of the sandbox holds sample values', async () => {
    for (const locale of LOCALES) {
      const content = reportFixture(REPORT_NAMES[0]!, locale);
      const pages = await readPdf(await reportPdf({ content, images: NONE, hasSamples: true }));
      const { samples } = wordsOf(content);
      expect(pages[0]!.text.replace(/\s+/g, ' ').trimStart().startsWith(samples)).toBe(true);
      expect(textOf(await read(content, NONE))).not.toContain(samples.slice(0, 12));
    }
  });

  it('says in place of a photograph that its time is over', async () => {
    for (const locale of LOCALES) {
      const content = reportFixture(REPORT_NAMES[0]!, locale);
      const beginning = wordsOf(content).imageEnded.split(' ').slice(0, 2).join(' ');
      const images = new Map(assetIds(content).map((assetId) => [assetId, 'ended' as const]));
      const ended = textOf(await read(content, images));
      expect(ended.replace(/\s+/g, ' ').split(beginning)).toHaveLength(1 + assetIds(content).length);
      expect(textOf(await read(content, NONE)).replace(/\s+/g, ' ')).not.toContain(beginning);
    }
  });

  /** All text of the document that the page shows. */
  function sentences(content: Content): string[] {
    const { overall, tires, sections } = content;
    const words = wordsOf(content);
    const patterns = sections.some(({ section_id }) => section_id === 'wear_pattern');
    const ofTires = tires.flatMap((tire) => [
      tire.position_label,
      labelInPlace(tire),
      tire.decision_label,
      tire.narrative,
      patterns ? tire.wear_pattern?.label : undefined,
      depthInPlace(words, tire)?.depth ?? depthMissing(words, tire),
      depthInPlace(words, tire)?.interval,
    ]);
    const ofSections = sections.flatMap(({ title, badge_label, paragraphs }) => [title, badge_label, ...paragraphs]);
    const all = [
      overall?.severity_label,
      overall?.headline,
      ...(overall?.paragraphs ?? []),
      ...ofTires,
      ...ofSections,
      footnote(words, content),
    ];
    return all.filter((one) => typeof one === 'string').map((one) => one.replace(/\u00a0/g, ' ').replace(/\u2060/g, ''));
  }

  const OF_TODAY = REPORT_NAMES.flatMap((name) => LOCALES.map((locale) => `${name} ${locale}`));
  const documentOf = (name: string): Content => {
    const [report, locale] = name.split(' ');
    return locale === undefined ? golden(name) : reportFixture(report!, locale as Locale);
  };

  it.each([...NAMES, ...sampled(OF_TODAY, 3)])(
    '%s: every sentence and image is on four sheets of A4 at most, inside the margins',
    async (name) => {
      const content = documentOf(name);
      const pages = await read(content);
      const text = textOf(pages);
      for (const sentence of sentences(content)) expect(text).toContain(sentence);
      const titles = [...content.sections].sort((a, b) => a.order - b.order).map(({ title }) => text.indexOf(` ${title} `));
      expect(titles).toEqual([...titles].sort((a, b) => a - b));
      expect(pages.reduce((sum, { images }) => sum + images, 0)).toBe(assetIds(content).length);
      expect(pages.length).toBeLessThanOrEqual(4);
      expectClean(pages);
    },
  );

  function expectClean(pages: Awaited<ReturnType<typeof readPdf>>): void {
    for (const [index, { widthPt, heightPt, rgb, text }] of pages.entries()) {
      expect([Math.round(widthPt), Math.round(heightPt)]).toEqual([595, 842]);
      expect(text).toContain(`${index + 1} / ${pages.length}`);
      const width = Math.floor(widthPt);
      const dark: string[] = [];
      for (let pixel = 0; pixel < rgb.length / 3; pixel++) {
        if (rgb[3 * pixel]! >= WHITE - 3) continue;
        const [x, y] = [pixel % width, Math.floor(pixel / width)];
        const outside = x < MARGIN_PT - 1 || x > widthPt - MARGIN_PT + 1 || y < MARGIN_PT - 1 || y > heightPt - MARGIN_PT / 2;
        if (outside || (y > FOOT_PT.from && y < FOOT_PT.to)) dark.push(`${x},${y}`);
      }
      expect(dark).toEqual([]);
    }
  }

  it('is text in an embedded subset of a Korean font, tagged, with language and title, and contains no id', async () => {
    const content = contentFixture();
    const raw = (await reportPdf({ content, images: imagesOf(content) })).toString('latin1');
    for (const mark of ['/StructTreeRoot', '/Marked true', '/Lang (ko-KR)', '/DisplayDocTitle true', '/ToUnicode'])
      expect(raw).toContain(mark);
    expect(raw).toMatch(/\/FontName \/[A-Z]{6}\+NanumGothic/);
    expect(raw).toContain('/S /H1');
    expect(raw).toContain('/S /Figure');
    for (const id of [...Object.values(FIXTURE_IDS), '3456']) expect(raw).not.toContain(id);
  });

  it('shows a plate like the page, also with digits of another script, and accepts characters without a glyph', async () => {
    const content = contentFixture();
    for (const plate of ['12가 3456', '１２가 ３４５６', 'ABC-1234', '12\u202e가3456']) {
      const text = textOf(await read({ ...content, report_context: { ...content.report_context, plate_number: plate } }, NONE));
      expect(text).toContain(maskPlate(plate));
      expect(text).not.toContain('3456');
    }
    for (const plate of ['١٢٣٤٥٦', '🚗🚗🚗🚗', 'กข 1234']) {
      const text = textOf(await read({ ...content, report_context: { ...content.report_context, plate_number: plate } }, NONE));
      for (const sentence of sentences(content)) expect(text).toContain(sentence);
    }
  });

  it('composes decomposed syllables', async () => {
    const content = contentFixture();
    const apart = { ...content.overall!, headline: content.overall!.headline.normalize('NFD') };
    expect(textOf(await read({ ...content, overall: apart }, NONE))).toContain(content.overall!.headline);
  });

  it('shows which image could not be read', async () => {
    const content = golden('critical-and-caution');
    const images = new Map(imagesOf(content));
    images.delete(assetIds(content)[0]!);
    images.delete(assetIds(content).at(-1)!);
    const pages = await read(content, images);
    expect(textOf(pages).split(KOREAN.imageNotRead)).toHaveLength(3);
    expect(pages.reduce((sum, { images }) => sum + images, 0)).toBe(assetIds(content).length - 2);
    expectClean(pages);
  });

  it('splits a part that fits on no page, and loses nothing', async () => {
    const content = contentFixture();
    const long = Array.from({ length: 900 }, (_, index) => `낱말${index}`).join(' ');
    const letters = '가'.repeat(2_000);
    const sections = content.sections.map((section) => ({ ...section, paragraphs: [long, letters] }));
    const tires = content.tires.map((tire) => ({ ...tire, narrative: '긴 설명입니다. '.repeat(12).trim() }));
    const pages = await read({ ...content, sections, tires });
    const text = textOf(pages)
      .replace(/타이어 점검 리포트 \d+ \/ \d+/g, '')
      .replace(/\s+/g, ' ');
    expect(text.split(long)).toHaveLength(sections.length + 1);
    expect(text.match(/가/g)!.length).toBeGreaterThanOrEqual(2_000 * sections.length);
    expectClean(pages);
  });

  it('omits a groove with only a depth', async () => {
    const content = contentFixture();
    const [tread] = content.render_data.tread_overlays;
    const groove_masks = [{ depth_mm: 7.7, score: null, polygon_xy_norm: [] }];
    const render_data = { tread_overlays: [{ ...tread!, groove_masks, remaining_depths_mm: [7.7] }], sidewall_specs: [] };
    expect(textOf(await read({ ...content, render_data })).split('7.7')).toHaveLength(2);
  });

  it('draws the grooves on the image, then rotates it, then flips it', async () => {
    const content = contentFixture();
    const [tread] = content.render_data.tread_overlays;
    const coordinate_system = { ...tread!.coordinate_system, rotation_degrees_clockwise: 90, mirror_x: true };
    const lowerRight: [number, number][] = [
      [0.5, 0.5],
      [1, 0.5],
      [1, 1],
      [0.5, 1],
    ];
    const groove_masks = [{ depth_mm: 7.7, score: 0.9, polygon_xy_norm: lowerRight }];
    const render_data = {
      tread_overlays: [{ ...tread!, coordinate_system, groove_masks, remaining_depths_mm: [7.7] }],
      sidewall_specs: [],
    };
    const pages = await read({ ...content, render_data });
    const { rgb, widthPt } = pages.find(({ images }) => images === 1)!;
    const middleOf = (colour: readonly number[]) => middle(rgb, Math.floor(widthPt), colour);
    // The rotation moves the lower left corner to the upper left and the upper left one to the upper right; the flip swaps them.
    const [upperLeft, upperRight] = [middleOf(COLOURS.magenta), middleOf(COLOURS.blue)];
    const [lowerLeft, lowerRightNow] = [middleOf(COLOURS.cyan), middleOf(GROOVE_ON_BLACK)];
    expect(upperLeft.x).toBeLessThan(upperRight.x);
    expect(lowerLeft.x).toBeLessThan(lowerRightNow.x);
    expect(upperLeft.y).toBeLessThan(lowerLeft.y);
    expect(upperRight.y).toBeLessThan(lowerRightNow.y);
    // Its depth is on the groove and below the image.
    expect(textOf(pages).split('7.7')).toHaveLength(3);
    const around = (pixel: number) =>
      Math.abs((pixel % Math.floor(widthPt)) - lowerRightNow.x) < 7 &&
      Math.abs(Math.floor(pixel / Math.floor(widthPt)) - lowerRightNow.y) < 5;
    expect(pixelsOf(rgb, MARK_ON_GROOVE).filter(around).length).toBeGreaterThan(30);
  });

  it.each(sampled([2, 3, 4, 5, 6, 7, 8], 2))(
    'draws grooves in the same place of an image that is stored with EXIF orientation %i',
    async (orientation) => {
      const content = contentFixture();
      const [tread] = content.render_data.tread_overlays;
      const coordinate_system = { ...tread!.coordinate_system, rotation_degrees_clockwise: 30, mirror_x: true };
      const of = { ...content, render_data: { tread_overlays: [{ ...tread!, coordinate_system }], sidewall_specs: [] } };
      const drawn = async (number: number) => {
        const image = { jpeg: await oriented(jpeg, number), orientation: number, widthPx: 200, heightPx: 120 };
        return (await read(of, new Map([[tread!.asset.asset_id, image]]))).find(({ images }) => images === 1)!.rgb;
      };
      const [stored, turned] = [await drawn(1), await drawn(orientation)];
      const difference = stored.reduce((sum, value, at) => sum + Math.abs(value - turned[at]!), 0) / stored.length;
      // Edges are smoothed differently. An image that is turned wrongly differs by more than 1.
      expect(difference).toBeLessThan(0.3);
    },
  );
});

/** By EXIF orientation: the same stored pixels, turned for people as a derivative is. */
async function oriented(square: Buffer, orientation: number): Promise<Buffer> {
  const stored = await sharp(square).resize(200, 120, { fit: 'fill' }).withMetadata({ orientation }).jpeg({ quality: 100 }).toBuffer();
  return sharp(stored).autoOrient().jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
}

/** 30 % of the yellow of a groove. */
const GROOVE_ON_BLACK = [77, 64, 22];

/** 80 % of the background of a mark over that. */
const MARK_ON_GROOVE = [31, 32, 27];

function pixelsOf(rgb: Uint8Array, colour: readonly number[]): number[] {
  const near: number[] = [];
  for (let pixel = 0; pixel < rgb.length / 3; pixel++) {
    if (colour.every((value, channel) => Math.abs(value - rgb[3 * pixel + channel]!) < 12)) near.push(pixel);
  }
  return near;
}

function middle(rgb: Uint8Array, width: number, colour: readonly number[]): { x: number; y: number } {
  const near = pixelsOf(rgb, colour);
  expect(near.length).toBeGreaterThan(500);
  const mean = (of: (pixel: number) => number) => near.reduce((sum, pixel) => sum + of(pixel), 0) / near.length;
  return { x: mean((pixel) => pixel % width), y: mean((pixel) => Math.floor(pixel / width)) };
}

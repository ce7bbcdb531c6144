import type { Content } from '@tire/contracts/api';
import { FIRST_TIME_ZONE } from '../domain/partner';
import { assetIds, footnote, inOrder } from '../page/facts/facts';
import { wordsOf } from '../page/words/words';
import { stack, text } from './boxes';
import { drawFlow, type Flow, flow, type Part } from './flow';
import { type Grid, imageRows, largeImages, type PdfImages, SMALL_IMAGES } from './images';
import { type PdfPartner, partnerRow } from './partner';
import { section } from './sections';
import { Sheet } from './sheet';
import { STYLES } from './theme';
import { tires, verdict } from './verdict';

const GAP_PT = 6;

export interface ReportPdfInput {
  readonly content: Content;
  /** A value of it is the known result of a photograph of the sandbox. */
  readonly hasSamples?: boolean;
  readonly images: PdfImages;
  readonly partner?: PdfPartner | null;
  readonly timeZone?: string;
}

/** The report of the share page as a PDF: the same text from the same content, in the same order. */
export async function reportPdf({
  content,
  hasSamples = false,
  images,
  partner = null,
  timeZone = FIRST_TIME_ZONE,
}: ReportPdfInput): Promise<Buffer> {
  const words = wordsOf(content);
  const sheet = new Sheet(words, new Date(content.generated_at ?? content.report_context.inspected_at ?? 0));
  const usable = new Map([...images].filter(([, image]) => image === 'ended' || sheet.canEmbed(image.jpeg)));
  const chunks: Buffer[] = [];
  sheet.doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => sheet.doc.on('end', resolve).on('error', reject));
  const fixed: Part[] = [
    {
      boxes: [
        ...(hasSamples ? [text(sheet, words.samples, STYLES.strong)] : []),
        ...partnerRow(sheet, words, partner),
        ...verdict(sheet, words, content, timeZone),
      ],
      isLoose: false,
    },
    tires(sheet, words, content),
  ];
  const sections = inOrder(content).map((one) => section(sheet, words, one, content));
  const partsWith = (grid: Grid): Part[] => {
    const rows = imageRows(sheet, words, content, usable, grid);
    const loose = rows.length > 0 ? [...sections, rows] : sections;
    const last = loose.at(-1) ?? [];
    // The footnote stays with the last box, so that it never gets a sheet of its own.
    const end = stack([...last.slice(-1), text(sheet, footnote(words, content), STYLES.small)], GAP_PT);
    const ended = [...loose.slice(0, -1), [...last.slice(0, -1), end]];
    return [...fixed, ...ended.map((boxes) => ({ boxes, isLoose: true }))];
  };
  drawFlow(sheet, fullest(partsWith, assetIds(content).length), words.title);
  await ended;
  return Buffer.concat(chunks);
}

/** Less than this on the last sheet, and a sheet is saved if tighter gaps can do it. */
const THIN_SHARE = 1 / 3;
/** More than this on the last sheet is full enough. */
const FULL_SHARE = 0.6;
/** One or two images fill nothing. */
const MANY_IMAGES = 3;
const TIGHTER = [0.85, 0.7, 0.55];

/** Parts with small images, unless others waste less paper: tighter gaps that save a sheet, or large images that fill the last one. */
function fullest(partsWith: (grid: Grid) => readonly Part[], imageCount: number): Flow {
  const small = partsWith(SMALL_IMAGES);
  const usual = flow(small);
  if (usual.sheets === 1 || usual.lastShare > FULL_SHARE) return usual;
  const saved = usual.lastShare < THIN_SHARE && TIGHTER.map((spacing) => flow(small, spacing)).find(({ sheets }) => sheets < usual.sheets);
  if (saved) return saved;
  if (imageCount < MANY_IMAGES) return usual;
  const large = flow(partsWith(largeImages(imageCount)));
  return large.sheets === usual.sheets && large.lastShare > usual.lastShare ? large : usual;
}

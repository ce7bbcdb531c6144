import type { Content } from '@tire/contracts/api';
import { inOrder } from '../page/facts';
import { wordsOf } from '../page/words';
import { stack, text } from './boxes';
import { Flow } from './flow';
import { imageRows, type PdfImages } from './images';
import { section } from './sections';
import { Sheet } from './sheet';
import { STYLES } from './theme';
import { tires, verdict } from './verdict';

const GAP_PT = 6;

export interface ReportPdfInput {
  readonly content: Content;
  readonly images: PdfImages;
}

/** The report of the share page as a PDF: the same text from the same content, in the same order. */
export async function reportPdf({ content, images }: ReportPdfInput): Promise<Buffer> {
  const words = wordsOf(content);
  const sheet = new Sheet(words, new Date(content.generated_at ?? content.report_context.inspected_at ?? 0));
  const chunks: Buffer[] = [];
  sheet.doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => sheet.doc.on('end', resolve).on('error', reject));
  const flow = new Flow(sheet);
  for (const boxes of [verdict(sheet, words, content), tires(sheet, words, content)]) flow.part(boxes, GAP_PT);
  // Sections and images fill the rest of a page, so that no sheet is half empty in the middle of a report.
  const parts = inOrder(content).map((one) => section(sheet, words, one, content));
  const rows = imageRows(sheet, words, content, images);
  const last = rows.length > 0 ? rows : (parts.pop() ?? []);
  parts.forEach((boxes) => flow.part(boxes, GAP_PT, true));
  // The footnote stays with the last box, so that it never gets a page of its own.
  const end = stack([...last.slice(-1), text(sheet, words.footnote, STYLES.small)], GAP_PT);
  flow.part([...last.slice(0, -1), end], GAP_PT, true);
  flow.end(words.title);
  await ended;
  return Buffer.concat(chunks);
}

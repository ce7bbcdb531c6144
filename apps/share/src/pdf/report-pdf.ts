import type { Content } from '@tire/contracts';
import { FOOTNOTE, inOrder, TITLE } from '../page/words';
import { text } from './boxes';
import { Flow } from './flow';
import { photographs, type Photographs } from './photographs';
import { section } from './sections';
import { Sheet } from './sheet';
import { STYLES } from './theme';
import { tires, verdict } from './verdict';

export interface ReportPdfInput {
  readonly content: Content;
  readonly photographs: Photographs;
}

/** The report of the share page as a document: the same words from the same content, in the same order. */
export async function reportPdf({ content, photographs: pictures }: ReportPdfInput): Promise<Buffer> {
  const sheet = new Sheet(TITLE, new Date(content.generated_at ?? content.report_context.inspected_at ?? 0));
  const chunks: Buffer[] = [];
  sheet.doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => sheet.doc.on('end', resolve).on('error', reject));
  const flow = new Flow(sheet);
  flow.part(verdict(sheet, content), 5);
  flow.part(tires(sheet, content.tires), 8);
  for (const one of inOrder(content)) flow.part(section(sheet, one, content.tires), 5);
  flow.part([...photographs(sheet, content, pictures), text(sheet, FOOTNOTE, STYLES.small)], 9);
  flow.end(TITLE);
  await ended;
  return Buffer.concat(chunks);
}

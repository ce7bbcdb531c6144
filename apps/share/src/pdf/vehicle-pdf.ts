import { depthChart } from '../page/drawings/depth-chart';
import { vehicleFacts, type TireHistory, type VehicleFacts, type VehicleShown } from '../page/facts/vehicle-facts';
import type { Language } from '../page/words/language';
import { VEHICLE_WORDS, type VehicleWords } from '../page/words/vehicle-words';
import { type Box, EMPTY, panel, paragraphs, row, stack, text } from './boxes';
import { drawFlow, flow, type Part } from './flow';
import { type PdfPartner, partnerRow } from './partner';
import { CONTENT_WIDTH_PT, Sheet } from './sheet';
import { STYLES, type TextStyle } from './theme';

export interface VehiclePdfInput {
  readonly shown: VehicleShown;
  readonly language: Language;
  readonly partner: PdfPartner | null;
}

const GAP_PT = 6;
const FACT_COLUMNS = 2;
const CHART_PT = 216;
const TABLE_AT_PT = CHART_PT + 18;
const TABLE_PT = CONTENT_WIDTH_PT - TABLE_AT_PT;
/** Day, mileage and what follows, as shares of the width of a table. */
const COLUMNS = [0.3, 0.25, 0.45];
/** Rows that stay together. A longer table is broken between such pieces. */
const ROWS_TOGETHER = 12;

/** The page of a vehicle as a PDF: the same facts in the same words and order. */
export async function vehiclePdf({ shown, language, partner }: VehiclePdfInput): Promise<Buffer> {
  const words = VEHICLE_WORDS[language];
  const facts = vehicleFacts(words, shown);
  const sheet = new Sheet({ title: words.title, locale: words.base.locale }, shown.now);
  const chunks: Buffer[] = [];
  sheet.doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => sheet.doc.on('end', resolve).on('error', reject));
  drawFlow(sheet, flow(partsOf(sheet, words, facts, partner)), words.title);
  await ended;
  return Buffer.concat(chunks);
}

function partsOf(sheet: Sheet, words: VehicleWords, facts: VehicleFacts, partner: PdfPartner | null): Part[] {
  const head = [
    ...(facts.samples === null ? [] : [text(sheet, facts.samples, STYLES.strong)]),
    ...partnerRow(sheet, words.base, partner),
    ...(facts.plate === null ? [] : [text(sheet, words.title, STYLES.kind)]),
    text(sheet, facts.plate?.value ?? words.title, STYLES.title, { tag: 'H1' }),
    text(sheet, facts.summary ?? words.none, STYLES.body),
    ...(facts.newestOnly === null ? [] : [text(sheet, facts.newestOnly, STYLES.small)]),
  ];
  const end = paragraphsOf(sheet, [words.legend, words.footnote]);
  return [
    { boxes: head, isLoose: false },
    ...facts.tires.map((tire) => ({ boxes: tirePart(sheet, words, tire), isLoose: false })),
    { boxes: inspectionsPart(sheet, words, facts), isLoose: true },
    { boxes: end, isLoose: false },
  ];
}

const paragraphsOf = (sheet: Sheet, texts: readonly string[]): Box[] => texts.map((one) => text(sheet, one, STYLES.small));

function tirePart(sheet: Sheet, words: VehicleWords, { label, facts, rows, points, advice }: TireHistory): Box[] {
  const widthPt = (CONTENT_WIDTH_PT - GAP_PT) / FACT_COLUMNS;
  const cells = facts.map((fact) =>
    row([
      { atPt: 0, box: text(sheet, fact.label, STYLES.muted, { widthPt: widthPt * 0.42 }) },
      { atPt: widthPt * 0.44, box: text(sheet, fact.value, STYLES.strong, { widthPt: widthPt * 0.52 }) },
    ]),
  );
  const lines = Array.from({ length: Math.ceil(cells.length / FACT_COLUMNS) }, (_, index) =>
    row(cells.slice(index * FACT_COLUMNS, (index + 1) * FACT_COLUMNS).map((box, column) => ({ atPt: column * (widthPt + GAP_PT), box }))),
  );
  const drawing = depthChart(points);
  const chart: Box = {
    heightPt: (CHART_PT * drawing.heightUnits) / drawing.widthUnits,
    draw: (_, xPt, yPt) => sheet.drawing(drawing, xPt, yPt, CHART_PT),
  };
  const [first = [], ...more] = pieces(
    tableRows(
      sheet,
      words.depth,
      words,
      rows.map(({ day, mileage, depth, note }) => [day, mileage, note === '' ? depth : `${depth} ${note}`]),
      TABLE_PT,
    ),
  );
  const beside = row([
    { atPt: 0, box: points.length > 0 ? panel(sheet, chart, CHART_PT + 8, chart.heightPt, 4) : EMPTY },
    { atPt: TABLE_AT_PT, box: stack(first) },
  ]);
  return [
    text(sheet, label, STYLES.heading, { tag: 'H2' }),
    stack([...lines, ...(advice === null ? [] : paragraphs(sheet, [advice]))], 2),
    ...(rows.length > 0 ? [beside, ...more.map((piece) => row([{ atPt: TABLE_AT_PT, box: stack(piece) }]))] : []),
  ];
}

function inspectionsPart(sheet: Sheet, words: VehicleWords, { inspections }: VehicleFacts): Box[] {
  if (inspections.length === 0) return [];
  const rows = tableRows(
    sheet,
    words.verdict,
    words,
    inspections.map(({ day, mileage, verdict }) => [day, mileage, verdict]),
    CONTENT_WIDTH_PT,
  );
  return [text(sheet, words.inspections, STYLES.heading, { tag: 'H2' }), ...pieces(rows).map((piece) => stack(piece))];
}

function tableRows(sheet: Sheet, last: string, words: VehicleWords, rows: readonly (readonly string[])[], widthPt: number): Box[] {
  const line = (cells: readonly string[], style: TextStyle): Box => {
    let atPt = 0;
    return row(
      cells.map((cell, index) => {
        const columnPt = COLUMNS[index]! * widthPt;
        const placed = { atPt, box: text(sheet, cell, style, { widthPt: columnPt - 6 }) };
        atPt += columnPt;
        return placed;
      }),
    );
  };
  return [line([words.day, words.mileage, last], STYLES.small), ...rows.map((cells) => line(cells, STYLES.body))];
}

const pieces = (rows: readonly Box[]): Box[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_TOGETHER) }, (_, index) =>
    rows.slice(index * ROWS_TOGETHER, (index + 1) * ROWS_TOGETHER),
  );

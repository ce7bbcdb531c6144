import type { Content, ContentSection } from '@tire/contracts/api';
import { axleRows, brakingBars, depthScale, type Row, sizeRows } from '../page/facts/facts';
import { signOfSection } from '../page/facts/severity';
import { wearDrawing, wearEnds } from '../page/drawings/wear-illustration';
import type { Words } from '../page/words/words';
import { badge, type Box, columns, panel, paragraphs, row, stack, text } from './boxes';
import { CONTENT_WIDTH_PT, type Sheet } from './sheet';
import { COLOURS, STYLES, TONES } from './theme';

/** Title and badge, the graphic of the metrics, and the paragraphs. */
export function section(sheet: Sheet, words: Words, one: ContentSection, content: Content): Box[] {
  const mark = one.badge_label === null ? null : badge(sheet, signOfSection(one, content.tires), one.badge_label);
  const titleWidthPt = CONTENT_WIDTH_PT - (mark ? mark.widthPt + 12 : 0);
  const title = text(sheet, one.title, STYLES.heading, { tag: 'H2', widthPt: titleWidthPt });
  const head = row([{ atPt: 0, box: title }, ...(mark ? [{ atPt: CONTENT_WIDTH_PT - mark.widthPt, box: mark }] : [])], 'middle');
  return [head, ...graphic(sheet, words, one, content), ...paragraphs(sheet, one.paragraphs)];
}

function graphic(sheet: Sheet, words: Words, one: ContentSection, content: Content): Box[] {
  switch (one.section_id) {
    case 'tread_wear':
      return [scale(sheet, depthScale(words, one.metrics, content.tires))];
    case 'braking_distance':
      return bars(sheet, words, one);
    case 'wear_pattern':
      return patterns(sheet, words, content);
    case 'position_variance':
      return [pair(sheet, axleRows(words, one.metrics, content.tires))];
    case 'sidewall_spec':
      return [pair(sheet, sizeRows(words, one.metrics, content))];
  }
}

const SCALE = { barPt: 9, markPt: 17, markWidthPt: 4 };

function scale(sheet: Sheet, { limit, threshold, mark, span, legend }: ReturnType<typeof depthScale>): Box {
  const tones = [
    { from: 0, to: limit, ink: TONES.critical.ink },
    { from: limit, to: threshold, ink: TONES.caution.ink },
    { from: threshold, to: 1, ink: TONES.good.ink },
  ];
  const bar: Box = {
    heightPt: SCALE.markPt,
    draw: (_, xPt, yPt) => {
      const at = (share: number) => xPt + share * CONTENT_WIDTH_PT;
      const barYPt = yPt + (SCALE.markPt - SCALE.barPt) / 2;
      for (const { from, to, ink } of tones) sheet.box(at(from), barYPt, (to - from) * CONTENT_WIDTH_PT, SCALE.barPt, ink);
      if (span) sheet.box(at(span.from), yPt + SCALE.markPt / 2 - 1.5, (span.to - span.from) * CONTENT_WIDTH_PT, 3, COLOURS.text);
      if (mark === null) return;
      const left = Math.min(Math.max(at(mark) - SCALE.markWidthPt / 2, xPt), at(1) - SCALE.markWidthPt);
      sheet.decorate((doc) =>
        doc.rect(left, yPt, SCALE.markWidthPt, SCALE.markPt).lineWidth(1.5).fillAndStroke(COLOURS.text, COLOURS.paper),
      );
    },
  };
  const widths = legend.map((one) => labelledWidth(sheet, one));
  const between = (CONTENT_WIDTH_PT - widths.reduce((sum, widthPt) => sum + widthPt, 0)) / (legend.length - 1);
  const atPt = (index: number) => widths.slice(0, index).reduce((sum, widthPt) => sum + widthPt + between, 0);
  return stack([bar, row(legend.map((one, index) => ({ atPt: atPt(index), box: labelled(sheet, one) })))], 3);
}

const labelled = (sheet: Sheet, { label, value }: Row): Box =>
  row([
    { atPt: 0, box: text(sheet, label, STYLES.muted) },
    { atPt: sheet.widthOf(label, STYLES.muted) + 6, box: text(sheet, value, STYLES.strong) },
  ]);

const labelledWidth = (sheet: Sheet, { label, value }: Row): number =>
  sheet.widthOf(label, STYLES.muted) + 6 + sheet.widthOf(value, STYLES.strong);

const BAR = { heightPt: 13, labelPt: 62, valuePt: 92 };

function bars(sheet: Sheet, words: Words, one: Extract<ContentSection, { section_id: 'braking_distance' }>): Box[] {
  const braking = brakingBars(words, one);
  if (braking === null) return [];
  const fullPt = CONTENT_WIDTH_PT - BAR.labelPt - BAR.valuePt;
  const gapInk = one.severity === 'critical' ? TONES.critical.ink : TONES.caution.ink;
  const drawn = braking.bars.map(({ label, value, reach, gap, span }) => {
    const bar: Box = {
      heightPt: BAR.heightPt,
      draw: (_, xPt, yPt) => {
        sheet.box(xPt, yPt, reach * fullPt, BAR.heightPt, COLOURS.steel);
        if (gap > 0) sheet.box(xPt + reach * fullPt, yPt, gap * fullPt, BAR.heightPt, gapInk);
        if (span) sheet.box(xPt + span.from * fullPt, yPt + BAR.heightPt / 2 - 1.25, (span.to - span.from) * fullPt, 2.5, COLOURS.text);
      },
    };
    return row(
      [
        { atPt: 0, box: text(sheet, label, STYLES.muted, { widthPt: BAR.labelPt }) },
        { atPt: BAR.labelPt, box: bar },
        { atPt: BAR.labelPt + fullPt, box: text(sheet, value, STYLES.strong, { widthPt: BAR.valuePt, align: 'right' }) },
      ],
      'middle',
    );
  });
  return [stack(drawn, 3), ...(braking.note === null ? [] : [text(sheet, braking.note, STYLES.strong)])];
}

const PANEL = { gapPt: 10, padPt: 7 };
const panelWidth = (count: number): number => (CONTENT_WIDTH_PT - (count - 1) * PANEL.gapPt) / count;

function panels(sheet: Sheet, insides: readonly Box[], count: number): Box {
  const widthPt = panelWidth(count);
  const heightPt = Math.max(...insides.map((inside) => inside.heightPt));
  return columns(
    insides.map((inside) => panel(sheet, inside, widthPt, heightPt, PANEL.padPt)),
    widthPt,
    PANEL.gapPt,
  );
}

const pair = (sheet: Sheet, rows: readonly Row[]): Box =>
  panels(
    sheet,
    rows.map((one) => labelled(sheet, one)),
    rows.length,
  );

const PATTERN_WIDTH_PT = 92;

function patterns(sheet: Sheet, words: Words, content: Content): Box[] {
  const widthPt = panelWidth(4) - 2 * PANEL.padPt;
  const insides = content.tires.flatMap((tire) => {
    const { position_label, wear_pattern: wear } = tire;
    if (wear === null) return [];
    const drawing = wearDrawing(tire.position, wear);
    const [first, last] = wearEnds(words, tire, content);
    const end = (line: string, align: 'left' | 'right') => text(sheet, line, STYLES.small, { widthPt: PATTERN_WIDTH_PT / 2, align });
    const ends = row([
      { atPt: 0, box: end(first, 'left') },
      { atPt: PATTERN_WIDTH_PT / 2, box: end(last, 'right') },
    ]);
    const image: Box = {
      heightPt: (PATTERN_WIDTH_PT * drawing.heightUnits) / drawing.widthUnits,
      draw: (_, xPt, yPt) => sheet.drawing(drawing, xPt, yPt, PATTERN_WIDTH_PT),
    };
    const label = stack([text(sheet, position_label, STYLES.strong, { widthPt }), text(sheet, wear.label, STYLES.small, { widthPt })]);
    return [stack([image, ends, label], 3)];
  });
  return insides.length === 0 ? [] : [panels(sheet, insides, 4)];
}

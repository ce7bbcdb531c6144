import type { Content, ContentTire } from '@tire/contracts/api';
import { carDrawing } from '../page/car';
import { depthText, inspectedRow, NO_DEPTH, plateRow, type Row, TIRES_TITLE, TITLE } from '../page/words';
import { badge, type Box, EMPTY, paragraphs, row, stack, text } from './boxes';
import { CONTENT_WIDTH_PT, type Sheet } from './sheet';
import { inked, STYLES, TONES } from './theme';

const BAR_PT = 5;
const ICON_PT = 15;
const FACT_WIDTH_PT = 170;

/** The overall verdict and the car. */
export function verdict(sheet: Sheet, { overall, report_context }: Content): Box[] {
  const { plate_number: plate, inspected_at: inspectedAt } = report_context;
  const severity = overall?.severity ?? 'unknown';
  const { ink } = TONES[severity];
  const bar: Box = { heightPt: BAR_PT + 6, draw: (_, xPt, yPt) => sheet.box(xPt, yPt, CONTENT_WIDTH_PT, BAR_PT, ink) };
  const facts = [...(plate === null ? [] : [plateRow(plate)]), ...(inspectedAt === null ? [] : [inspectedRow(inspectedAt)])];
  const sign: Box = { heightPt: ICON_PT, draw: (_, xPt, yPt) => sheet.icon(severity, xPt, yPt, ICON_PT, ink) };
  const label = (words: string) =>
    row(
      [
        { atPt: 0, box: sign },
        { atPt: ICON_PT + 6, box: text(sheet, words, inked(STYLES.verdict, ink)) },
      ],
      'middle',
    );
  return [
    bar,
    text(sheet, TITLE, STYLES.kind),
    ...(overall
      ? [
          label(overall.severity_label),
          text(sheet, overall.headline, STYLES.title, { tag: 'H1' }),
          ...paragraphs(sheet, overall.paragraphs),
        ]
      : []),
    ...(facts.length > 0
      ? [row(facts.map((one, index) => ({ atPt: index * FACT_WIDTH_PT, box: fact(sheet, one, FACT_WIDTH_PT - 10) })))]
      : []),
  ];
}

const fact = (sheet: Sheet, { label, value }: Row, widthPt: number): Box =>
  stack([text(sheet, label, STYLES.term, { widthPt }), text(sheet, value, STYLES.fact, { widthPt })]);

const CAR = { widthPt: 78, heightPt: 135, sidePt: 74, gapPt: 8 };
const WORDS_AT_PT = CAR.widthPt + 2 * (CAR.sidePt + CAR.gapPt) + 22;
const WORDS_WIDTH_PT = CONTENT_WIDTH_PT - WORDS_AT_PT;

/** The four tires in their positions, with the text of each beside it. */
export function tires(sheet: Sheet, all: readonly ContentTire[]): Box[] {
  const words = stack(
    all.map((one) => tire(sheet, one)),
    8,
  );
  const heightPt = Math.max(CAR.heightPt, words.heightPt);
  return [
    text(sheet, TIRES_TITLE, STYLES.heading, { tag: 'H2' }),
    {
      heightPt,
      draw: (parent, xPt, yPt) => {
        const carYPt = yPt + Math.min(20, (heightPt - CAR.heightPt) / 2);
        const carXPt = xPt + CAR.sidePt + CAR.gapPt;
        sheet.drawing(carDrawing(all), carXPt, carYPt, CAR.widthPt);
        for (const one of all) {
          const left = one.position.endsWith('left');
          const box = place(sheet, one, left ? 'right' : 'left');
          const middlePt = carYPt + CAR.heightPt * (one.position.startsWith('front') ? 0.24 : 0.78);
          box.draw(parent, left ? xPt : carXPt + CAR.widthPt + CAR.gapPt, middlePt - box.heightPt / 2);
        }
        words.draw(parent, xPt + WORDS_AT_PT, yPt);
      },
    },
  ];
}

function place(sheet: Sheet, tire: ContentTire, align: 'left' | 'right'): Box {
  const { position_label, minimum_remaining_depth_mm: depthMm, severity, severity_label } = tire;
  const widthPt = CAR.sidePt;
  const mark = badge(sheet, severity, severity_label);
  return stack([
    text(sheet, position_label, STYLES.strong, { widthPt, align, tag: 'H3' }),
    depthMm === null
      ? text(sheet, NO_DEPTH, STYLES.muted, { widthPt, align })
      : text(sheet, depthText(depthMm), STYLES.depth, { widthPt, align }),
    row([{ atPt: align === 'right' ? widthPt - mark.widthPt : 0, box: mark }]),
  ]);
}

const SMALL_ICON_PT = 11;

function tire(sheet: Sheet, { position_label, severity, decision_label, narrative }: ContentTire): Box {
  const sign: Box = {
    heightPt: SMALL_ICON_PT,
    draw: (_, xPt, yPt) => sheet.icon(severity, xPt, yPt, SMALL_ICON_PT, TONES[severity].ink),
  };
  const nameAtPt = SMALL_ICON_PT + 5;
  const decisionAtPt = nameAtPt + sheet.widthOf(position_label, STYLES.strong) + 6;
  return stack([
    row(
      [
        { atPt: 0, box: sign },
        { atPt: nameAtPt, box: text(sheet, position_label, STYLES.strong) },
        { atPt: decisionAtPt, box: text(sheet, decision_label, STYLES.muted, { widthPt: WORDS_WIDTH_PT - decisionAtPt }) },
      ],
      'middle',
    ),
    narrative === null ? EMPTY : stack(paragraphs(sheet, [narrative], WORDS_WIDTH_PT)),
  ]);
}

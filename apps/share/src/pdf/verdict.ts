import type { Content, ContentTire } from '@tire/contracts/api';
import { carDrawing } from '../page/drawings/car';
import {
  baldNote,
  depthInPlace,
  depthMissing,
  depthNotes,
  inspectedRow,
  labelInPlace,
  plateRow,
  remainingText,
  type Row,
  unseenNote,
} from '../page/facts/facts';
import { signOfCar, signOfDecision } from '../page/facts/severity';
import type { Words } from '../page/words/words';
import { badge, type Box, EMPTY, paragraphs, row, stack, text } from './boxes';
import { CONTENT_WIDTH_PT, type Sheet } from './sheet';
import { inked, STYLES, TONES } from './theme';

const BAR_PT = 5;
const ICON_PT = 15;
const FACT_WIDTH_PT = 170;

/** The overall verdict and the car. */
export function verdict(sheet: Sheet, words: Words, content: Content): Box[] {
  const { overall, report_context } = content;
  const { plate_number: plate, inspected_at: inspectedAt } = report_context;
  const severity = signOfCar(content);
  const { ink } = TONES[severity];
  const bar: Box = { heightPt: BAR_PT + 6, draw: (_, xPt, yPt) => sheet.box(xPt, yPt, CONTENT_WIDTH_PT, BAR_PT, ink) };
  const facts = [...(plate === null ? [] : [plateRow(words, plate)]), ...(inspectedAt === null ? [] : [inspectedRow(words, inspectedAt)])];
  const sign: Box = { heightPt: ICON_PT, draw: (_, xPt, yPt) => sheet.icon(severity, xPt, yPt, ICON_PT, ink) };
  const label = (line: string) =>
    row(
      [
        { atPt: 0, box: sign },
        { atPt: ICON_PT + 6, box: text(sheet, line, inked(STYLES.verdict, ink)) },
      ],
      'middle',
    );
  return [
    bar,
    text(sheet, words.title, STYLES.kind),
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

const CAR = { widthPt: 78, heightPt: 135, sidePt: 82, gapPt: 8 };
const WORDS_AT_PT = CAR.widthPt + 2 * (CAR.sidePt + CAR.gapPt) + 22;
const WORDS_WIDTH_PT = CONTENT_WIDTH_PT - WORDS_AT_PT;

/** The four tires in their positions, with the text of each beside it. */
export function tires(sheet: Sheet, words: Words, content: Content): Box[] {
  const all = content.tires;
  const texts = stack(
    all.map((one) => tire(sheet, words, one)),
    8,
  );
  const heightPt = Math.max(CAR.heightPt, texts.heightPt);
  return [
    text(sheet, words.tiresTitle, STYLES.heading, { tag: 'H2' }),
    {
      heightPt,
      draw: (parent, xPt, yPt) => {
        const carYPt = yPt + Math.min(20, (heightPt - CAR.heightPt) / 2);
        const carXPt = xPt + CAR.sidePt + CAR.gapPt;
        sheet.drawing(carDrawing(all), carXPt, carYPt, CAR.widthPt);
        for (const one of all) {
          const left = one.position.endsWith('left');
          const box = place(sheet, words, one, left ? 'right' : 'left');
          const middlePt = carYPt + CAR.heightPt * (one.position.startsWith('front') ? 0.24 : 0.78);
          box.draw(parent, left ? xPt : carXPt + CAR.widthPt + CAR.gapPt, middlePt - box.heightPt / 2);
        }
        texts.draw(parent, xPt + WORDS_AT_PT, yPt);
      },
    },
    ...depthNotes(words, content).map((note) => text(sheet, note, STYLES.small)),
  ];
}

function place(sheet: Sheet, words: Words, tire: ContentTire, align: 'left' | 'right'): Box {
  const widthPt = CAR.sidePt;
  const mark = badge(sheet, signOfDecision(tire), labelInPlace(tire));
  const depth = depthInPlace(words, tire);
  const bald = baldNote(words, tire);
  const unseen = unseenNote(words, tire);
  return stack([
    text(sheet, tire.position_label, STYLES.strong, { widthPt, align, tag: 'H3' }),
    depth
      ? text(sheet, [depth.about, depth.depth].filter(Boolean).join(' '), depth.interval === null ? STYLES.depth : STYLES.depthAbout, {
          widthPt,
          align,
        })
      : text(sheet, depthMissing(words, tire), STYLES.muted, { widthPt, align }),
    ...(depth?.interval ? [text(sheet, depth.interval, STYLES.small, { widthPt, align })] : []),
    ...(bald === null ? [] : [text(sheet, bald, inked(STYLES.smallStrong, TONES.critical.ink), { widthPt, align })]),
    ...(unseen === null ? [] : [text(sheet, unseen, STYLES.small, { widthPt, align })]),
    row([{ atPt: align === 'right' ? widthPt - mark.widthPt : 0, box: mark }]),
  ]);
}

const SMALL_ICON_PT = 11;

function tire(sheet: Sheet, words: Words, one: ContentTire): Box {
  const { position_label, decision_label, narrative } = one;
  const sign = signOfDecision(one);
  const drawn: Box = {
    heightPt: SMALL_ICON_PT,
    draw: (_, xPt, yPt) => sheet.icon(sign, xPt, yPt, SMALL_ICON_PT, TONES[sign].ink),
  };
  const nameAtPt = SMALL_ICON_PT + 5;
  const decisionAtPt = nameAtPt + sheet.widthOf(position_label, STYLES.strong) + 6;
  const remaining = remainingText(words, one);
  return stack([
    row(
      [
        { atPt: 0, box: drawn },
        { atPt: nameAtPt, box: text(sheet, position_label, STYLES.strong) },
        { atPt: decisionAtPt, box: text(sheet, decision_label, STYLES.muted, { widthPt: WORDS_WIDTH_PT - decisionAtPt }) },
      ],
      'middle',
    ),
    narrative === null ? EMPTY : stack(paragraphs(sheet, [narrative], WORDS_WIDTH_PT)),
    remaining === null ? EMPTY : text(sheet, remaining, STYLES.small, { widthPt: WORDS_WIDTH_PT }),
  ]);
}

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
import type { Part } from './flow';
import { inked, STYLES, TONES } from './theme';

const BAR_PT = 5;
const ICON_PT = 15;
const FACT_WIDTH_PT = 170;

/** The overall verdict and the car. */
export function verdict(sheet: Sheet, words: Words, content: Content, timeZone: string): Box[] {
  const { overall, report_context } = content;
  const { plate_number: plate, inspected_at: inspectedAt } = report_context;
  const severity = signOfCar(content);
  const { ink } = TONES[severity];
  const bar: Box = { heightPt: BAR_PT + 6, draw: (_, xPt, yPt) => sheet.box(xPt, yPt, CONTENT_WIDTH_PT, BAR_PT, ink) };
  const facts = [
    ...(plate === null ? [] : [plateRow(words, plate)]),
    ...(inspectedAt === null ? [] : [inspectedRow(words, inspectedAt, timeZone)]),
  ];
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
const PLACES_WIDTH_PT = CAR.widthPt + 2 * (CAR.sidePt + CAR.gapPt);
const WORDS_AT_PT = PLACES_WIDTH_PT + 22;
const WORDS_WIDTH_PT = CONTENT_WIDTH_PT - WORDS_AT_PT;

/** Longer texts beside the car would not fit under the verdict, and leave most of the first sheet empty. */
const LONGEST_PT = 360;
/** The texts of the tires reach beyond the car. */
const AROUND_CAR_PT = 15;

/** The four tires in their positions, with the text of each beside the car, or under it where the texts are long. */
export function tires(sheet: Sheet, words: Words, content: Content): Part {
  const all = content.tires;
  const beside = stack(
    all.map((one) => tire(sheet, words, one, WORDS_WIDTH_PT)),
    8,
  );
  const isLong = beside.heightPt > LONGEST_PT;
  const heightPt = isLong ? CAR.heightPt + 2 * AROUND_CAR_PT : Math.max(CAR.heightPt, beside.heightPt);
  const drawn: Box = {
    heightPt,
    draw: (parent, xPt, yPt) => {
      car(
        sheet,
        words,
        all,
        parent,
        isLong ? xPt + (CONTENT_WIDTH_PT - PLACES_WIDTH_PT) / 2 : xPt,
        yPt + Math.min(20, (heightPt - CAR.heightPt) / 2),
      );
      if (!isLong) beside.draw(parent, xPt + WORDS_AT_PT, yPt);
    },
  };
  const boxes = [
    text(sheet, words.tiresTitle, STYLES.heading, { tag: 'H2' }),
    drawn,
    ...(isLong ? all.map((one) => tire(sheet, words, one, CONTENT_WIDTH_PT)) : []),
    ...depthNotes(words, content).map((note) => text(sheet, note, STYLES.small)),
  ];
  return { boxes, isLoose: isLong };
}

function car(
  sheet: Sheet,
  words: Words,
  all: readonly ContentTire[],
  parent: Parameters<Box['draw']>[0],
  xPt: number,
  carYPt: number,
): void {
  const carXPt = xPt + CAR.sidePt + CAR.gapPt;
  sheet.drawing(carDrawing(all), carXPt, carYPt, CAR.widthPt);
  for (const one of all) {
    const left = one.position.endsWith('left');
    const box = place(sheet, words, one, left ? 'right' : 'left');
    const middlePt = carYPt + CAR.heightPt * (one.position.startsWith('front') ? 0.22 : 0.8);
    box.draw(parent, left ? xPt : carXPt + CAR.widthPt + CAR.gapPt, middlePt - box.heightPt / 2);
  }
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

function tire(sheet: Sheet, words: Words, one: ContentTire, widthPt: number): Box {
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
        { atPt: decisionAtPt, box: text(sheet, decision_label, STYLES.muted, { widthPt: widthPt - decisionAtPt }) },
      ],
      'middle',
    ),
    narrative === null ? EMPTY : stack(paragraphs(sheet, [narrative], widthPt)),
    remaining === null ? EMPTY : text(sheet, remaining, STYLES.small, { widthPt }),
  ]);
}

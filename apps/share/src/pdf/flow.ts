import { type Box, stack } from './boxes';
import { PAGE, type Sheet } from './sheet';
import { COLOURS, STYLES } from './theme';

const TOP_PT = PAGE.marginPt;
const BOTTOM_PT = PAGE.heightPt - PAGE.marginPt - 14;
const WHOLE_PT = BOTTOM_PT - TOP_PT;
const AROUND_RULE_PT = 11;
const GAP_PT = 6;

/**
 * One part of the report, with a line above it unless it starts a sheet. It stays on one sheet if it fits on a sheet, unless it is loose:
 * then it fills the rest of a sheet. Otherwise it is broken between boxes. The first two boxes stay together, so that no heading stands
 * alone.
 */
export interface Part {
  readonly boxes: readonly Box[];
  readonly isLoose: boolean;
}

interface Placed {
  readonly box: Box;
  readonly part: number;
  readonly sheet: number;
  readonly yPt: number;
  /** The position of the line above the part. */
  readonly ruleYPt: number | null;
}

export interface Flow {
  readonly placed: readonly Placed[];
  readonly sheets: number;
  /** How much of the height of the last sheet is in use. */
  readonly lastShare: number;
}

/** Places boxes under each other, and starts a new sheet where a box does not fit. Draws nothing. `spacing` multiplies the gaps. */
export function flow(parts: readonly Part[], spacing = 1): Flow {
  const [gapPt, aroundRulePt] = [GAP_PT * spacing, AROUND_RULE_PT * spacing];
  const placed: Placed[] = [];
  let sheet = 0;
  let y = TOP_PT;
  const turn = () => {
    sheet += 1;
    y = TOP_PT;
  };
  const fits = (heightPt: number) => y + heightPt <= BOTTOM_PT;
  for (const [part, { boxes, isLoose }] of parts.entries()) {
    const pieces = piecesOf(boxes, gapPt, isLoose);
    const [first] = pieces;
    if (!first) continue;
    let ruleYPt: number | null = null;
    if (y > TOP_PT && !fits(2 * aroundRulePt + first.heightPt)) turn();
    else if (y > TOP_PT) {
      ruleYPt = y + aroundRulePt;
      y += 2 * aroundRulePt;
    }
    for (const [index, box] of pieces.entries()) {
      const beforePt = index === 0 ? 0 : gapPt;
      if (y > TOP_PT && !fits(beforePt + box.heightPt)) turn();
      else y += beforePt;
      placed.push({ box, part, sheet, yPt: y, ruleYPt: index === 0 ? ruleYPt : null });
      y += box.heightPt;
    }
  }
  return { placed, sheets: sheet + 1, lastShare: (y - TOP_PT) / WHOLE_PT };
}

function piecesOf(boxes: readonly Box[], gapPt: number, isLoose: boolean): readonly Box[] {
  const [first, second, ...rest] = boxes;
  if (!first || !second) return boxes;
  const whole = stack(boxes, gapPt);
  return whole.heightPt <= WHOLE_PT && !isLoose ? [whole] : [stack([first, second], gapPt), ...rest];
}

/** Draws what was placed, with page numbers, and ends the document. */
export function drawFlow(sheet: Sheet, { placed, sheets }: Flow, title: string): void {
  const { doc } = sheet;
  const root = doc.struct('Document');
  doc.addStructure(root);
  let at = { sheet: 0, part: -1 };
  let section = root;
  for (const { box, part, sheet: number, yPt, ruleYPt } of placed) {
    if (part !== at.part) {
      if (section !== root) section.end();
      section = doc.struct('Sect');
      root.add(section);
    }
    if (number !== at.sheet) doc.addPage();
    at = { sheet: number, part };
    if (ruleYPt !== null) rule(sheet, ruleYPt);
    box.draw(section, PAGE.marginPt, yPt);
  }
  if (section !== root) section.end();
  root.end();
  const yPt = PAGE.heightPt - PAGE.marginPt - 4;
  for (let index = 0; index < sheets; index++) {
    doc.switchToPage(index);
    const number = `${index + 1} / ${sheets}`;
    sheet.decorate(() => {
      sheet.write(title, PAGE.marginPt, yPt, STYLES.small);
      sheet.write(number, PAGE.widthPt - PAGE.marginPt - sheet.widthOf(number, STYLES.small), yPt, STYLES.small);
    }, 'Pagination');
  }
  doc.end();
}

function rule(sheet: Sheet, yPt: number): void {
  sheet.decorate((doc) =>
    doc
      .moveTo(PAGE.marginPt, yPt)
      .lineTo(PAGE.widthPt - PAGE.marginPt, yPt)
      .lineWidth(0.7)
      .stroke(COLOURS.line),
  );
}

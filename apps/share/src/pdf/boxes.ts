import { unbroken } from '../page/words/unbroken';
import { type Sign } from '../page/facts/severity';
import { CONTENT_WIDTH_PT, type Sheet, type Tag } from './sheet';
import { COLOURS, STYLES, type TextStyle, TONES, inked } from './theme';

/** A measured element that can be drawn at any position. */
export interface Box {
  readonly heightPt: number;
  draw(parent: Tag, xPt: number, yPt: number): void;
}

export const EMPTY: Box = { heightPt: 0, draw: () => undefined };

interface TextOptions {
  readonly widthPt?: number;
  readonly tag?: string;
  readonly align?: 'left' | 'center' | 'right';
}

export const text = (sheet: Sheet, words: string, style: TextStyle, options: TextOptions = {}): Box =>
  lined(sheet, sheet.linesOf(words, style, options.widthPt ?? CONTENT_WIDTH_PT), style, options);

// A third of a page. A longer text may be broken between lines.
const LINES_TOGETHER = 15;

export function paragraphs(sheet: Sheet, texts: readonly string[], widthPt = CONTENT_WIDTH_PT): Box[] {
  return texts.flatMap((words) => {
    const lines = sheet.linesOf(unbroken(words), STYLES.body, widthPt);
    const starts = lines.map((_, index) => index).filter((index) => index % LINES_TOGETHER === 0);
    return starts.map((start) => lined(sheet, lines.slice(start, start + LINES_TOGETHER), STYLES.body, { widthPt }));
  });
}

function lined(sheet: Sheet, lines: readonly string[], style: TextStyle, options: TextOptions): Box {
  const { widthPt = CONTENT_WIDTH_PT, tag = 'P', align = 'left' } = options;
  const left = (line: string): number => {
    if (align === 'left') return 0;
    const free = widthPt - sheet.widthOf(line, style);
    return align === 'right' ? free : free / 2;
  };
  return {
    heightPt: lines.length * style.linePt,
    draw: (parent, xPt, yPt) =>
      sheet.tag(parent, tag, () => lines.forEach((line, index) => sheet.write(line, xPt + left(line), yPt + index * style.linePt, style))),
  };
}

export function stack(boxes: readonly Box[], gapPt = 0): Box {
  const heightPt = boxes.reduce((sum, box) => sum + box.heightPt, 0) + gapPt * Math.max(0, boxes.length - 1);
  return {
    heightPt,
    draw: (parent, xPt, yPt) => {
      let y = yPt;
      for (const box of boxes) {
        box.draw(parent, xPt, y);
        y += box.heightPt + gapPt;
      }
    },
  };
}

/** Boxes side by side, each at its distance from the left. */
export const row = (columns: readonly { readonly atPt: number; readonly box: Box }[], align: 'top' | 'middle' = 'top'): Box => {
  const heightPt = Math.max(0, ...columns.map(({ box }) => box.heightPt));
  return {
    heightPt,
    draw: (parent, xPt, yPt) =>
      columns.forEach(({ atPt, box }) => box.draw(parent, xPt + atPt, align === 'top' ? yPt : yPt + (heightPt - box.heightPt) / 2)),
  };
};

/** Equal columns over the full width. */
export const columns = (boxes: readonly Box[], widthPt: number, gapPt: number): Box =>
  row(boxes.map((box, index) => ({ atPt: index * (widthPt + gapPt), box })));

/** A box on a soft background. Boxes in a row have the same height. */
export const panel = (sheet: Sheet, inside: Box, widthPt: number, heightPt = inside.heightPt, paddingPt = 8): Box => ({
  heightPt: heightPt + 2 * paddingPt,
  draw: (parent, xPt, yPt) => {
    sheet.box(xPt, yPt, widthPt, heightPt + 2 * paddingPt, COLOURS.soft, 6);
    inside.draw(parent, xPt + paddingPt, yPt + paddingPt);
  },
});

const BADGE = { heightPt: 18, iconPt: 9, padPt: 7 };

export function badge(sheet: Sheet, sign: Sign, label: string): Box & { readonly widthPt: number } {
  const { ink, paper } = TONES[sign];
  const style = inked(STYLES.smallStrong, ink);
  const wordsAtPt = BADGE.padPt + BADGE.iconPt + 4;
  const widthPt = wordsAtPt + sheet.widthOf(label, style) + BADGE.padPt;
  return {
    widthPt,
    heightPt: BADGE.heightPt,
    draw: (parent, xPt, yPt) => {
      sheet.box(xPt, yPt, widthPt, BADGE.heightPt, paper, BADGE.heightPt / 2);
      sheet.icon(sign, xPt + BADGE.padPt, yPt + (BADGE.heightPt - BADGE.iconPt) / 2, BADGE.iconPt, ink);
      sheet.tag(parent, 'P', () => sheet.write(label, xPt + wordsAtPt, yPt + (BADGE.heightPt - style.linePt) / 2, style));
    },
  };
}

const CHIP = { heightPt: 13.5, padPt: 2.5, gapPt: 3 };

/** Short values in one line, or in several if they do not fit. */
export function chips(sheet: Sheet, values: readonly string[], widthPt: number): Box {
  const style = STYLES.chip;
  let x = 0;
  let y = 0;
  const placed = values.map((value) => {
    const chipPt = sheet.widthOf(value, style) + 2 * CHIP.padPt;
    if (x > 0 && x + chipPt > widthPt) [x, y] = [0, y + CHIP.heightPt + CHIP.gapPt];
    const at = { value, chipPt, x, y };
    x += chipPt + CHIP.gapPt;
    return at;
  });
  return {
    heightPt: y + CHIP.heightPt,
    draw: (parent, xPt, yPt) => {
      placed.forEach((chip) => sheet.box(xPt + chip.x, yPt + chip.y, chip.chipPt, CHIP.heightPt, COLOURS.soft, 3));
      sheet.tag(parent, 'P', () =>
        placed.forEach((chip) =>
          sheet.write(chip.value, xPt + chip.x + CHIP.padPt, yPt + chip.y + (CHIP.heightPt - style.linePt) / 2, style),
        ),
      );
    },
  };
}

import { type Box, stack } from './boxes';
import { PAGE, type Sheet, type Tag } from './sheet';
import { COLOURS, STYLES } from './theme';

const TOP_PT = PAGE.marginPt;
const BOTTOM_PT = PAGE.heightPt - PAGE.marginPt - 14;
const WHOLE_PT = BOTTOM_PT - TOP_PT;
const AROUND_RULE_PT = 11;

/** Stacks boxes, and starts a new page if a box does not fit. */
export class Flow {
  private yPt = TOP_PT;
  private readonly document: Tag;

  constructor(private readonly sheet: Sheet) {
    this.document = sheet.doc.struct('Document');
    sheet.doc.addStructure(this.document);
  }

  /**
   * One part of the report, with a line above it unless it starts a page. It stays on one page if it fits on a page, unless it is loose:
   * then it fills the rest of a page. Otherwise it is broken between boxes. The first two boxes stay together, so that no heading stands
   * alone.
   */
  part(boxes: readonly Box[], gapPt: number, loose = false): void {
    const [first, second, ...rest] = boxes;
    if (!first) return;
    const whole = stack(boxes, gapPt);
    const start = second ? stack([first, second], gapPt) : first;
    const pieces = whole.heightPt <= WHOLE_PT && !loose ? [whole] : [start, ...rest];
    const section = this.sheet.doc.struct('Sect');
    this.document.add(section);
    this.separate(pieces[0]!.heightPt);
    pieces.forEach((piece, index) => this.place(section, piece, index === 0 ? 0 : gapPt));
    section.end();
  }

  /** Writes the page numbers, after the number of pages is known. */
  end(title: string): void {
    this.document.end();
    const { count } = this.sheet.doc.bufferedPageRange();
    const yPt = PAGE.heightPt - PAGE.marginPt - 4;
    for (let index = 0; index < count; index++) {
      this.sheet.doc.switchToPage(index);
      const number = `${index + 1} / ${count}`;
      this.sheet.decorate(() => {
        this.sheet.write(title, PAGE.marginPt, yPt, STYLES.small);
        this.sheet.write(number, PAGE.widthPt - PAGE.marginPt - this.sheet.widthOf(number, STYLES.small), yPt, STYLES.small);
      }, 'Pagination');
    }
    this.sheet.doc.end();
  }

  private separate(nextPt: number): void {
    if (this.yPt === TOP_PT) return;
    if (!this.fits(2 * AROUND_RULE_PT + nextPt)) return this.turn();
    const yPt = this.yPt + AROUND_RULE_PT;
    this.sheet.decorate((doc) =>
      doc
        .moveTo(PAGE.marginPt, yPt)
        .lineTo(PAGE.widthPt - PAGE.marginPt, yPt)
        .lineWidth(0.7)
        .stroke(COLOURS.line),
    );
    this.yPt += 2 * AROUND_RULE_PT;
  }

  private turn(): void {
    this.sheet.doc.addPage();
    this.yPt = TOP_PT;
  }

  private fits(heightPt: number): boolean {
    return this.yPt + heightPt <= BOTTOM_PT;
  }

  private place(parent: Tag, box: Box, gapPt: number): void {
    if (this.yPt > TOP_PT && !this.fits(gapPt + box.heightPt)) {
      this.turn();
    } else this.yPt += gapPt;
    box.draw(parent, PAGE.marginPt, this.yPt);
    this.yPt += box.heightPt;
  }
}

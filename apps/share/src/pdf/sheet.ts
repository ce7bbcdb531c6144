import PDFDocument from 'pdfkit';
import type { Drawing } from '../page/drawings/drawing';
import { SIGNS } from '@tire/kernel';
import type { Sign } from '../page/facts/severity';
import type { Words } from '../page/words/words';
import { FONT_FILES } from './fonts';
import { COLOURS, INKS, type TextStyle } from './theme';

export type Tag = PDFKit.PDFStructureElement;

export const PAGE = { widthPt: 595.28, heightPt: 841.89, marginPt: 42 };
export const CONTENT_WIDTH_PT = PAGE.widthPt - 2 * PAGE.marginPt;

// Invisible marks, and separate jamo: a font has glyphs for composed syllables only.
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;
const clean = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[^\S\u00a0]+/g, ' ')
    .replace(INVISIBLE, '')
    .trim();

// A no-break space and a word joiner keep words on one line. The font has no glyph for them.
const drawable = (text: string): string => text.replace(/\u00a0/g, ' ').replace(/\u2060/g, '');

/** The document, with the few drawing operations of a report. Text and images get a tag; decoration is marked as an artifact. */
export class Sheet {
  readonly doc: PDFKit.PDFDocument;

  constructor({ title, locale }: Pick<Words, 'title' | 'locale'>, createdAt: Date) {
    this.doc = new PDFDocument({
      size: 'A4',
      margin: 0,
      bufferPages: true,
      pdfVersion: '1.7',
      lang: locale,
      tagged: true,
      displayTitle: true,
      info: { Title: title, CreationDate: createdAt, Creator: 'Tire Inspection Report Service' },
    });
    for (const [name, font] of Object.entries(FONT_FILES)) {
      // Parsed fonts work since 0.20. The types do not declare it yet.
      this.doc.registerFont(name, font as unknown as Buffer);
    }
  }

  /** Bytes that are no image must cost their own place and not the whole document. */
  canEmbed(image: Uint8Array): boolean {
    try {
      // The types do not declare it.
      (this.doc as unknown as { openImage(bytes: Buffer): unknown }).openImage(Buffer.from(image));
      return true;
    } catch {
      return false;
    }
  }

  widthOf(text: string, { font, sizePt }: TextStyle): number {
    return this.doc.font(font).fontSize(sizePt).widthOfString(drawable(text));
  }

  /** Breaks Korean text between words, as on the page. Breaks a word only if it is wider than the line. */
  linesOf(text: string, style: TextStyle, widthPt: number): string[] {
    const lines: string[] = [];
    let line = '';
    const fits = (candidate: string) => this.widthOf(candidate, style) <= widthPt;
    for (const word of clean(text).split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (fits(longer)) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = '';
      for (const letter of word) {
        if (line !== '' && !fits(line + letter)) {
          lines.push(line);
          line = '';
        }
        line += letter;
      }
    }
    return [...lines, line];
  }

  /** One line, centred in its line height. */
  write(line: string, xPt: number, yPt: number, { font, sizePt, linePt, colour }: TextStyle): void {
    this.doc
      .font(font)
      .fontSize(sizePt)
      .fillColor(colour)
      .text(drawable(line), xPt, yPt + (linePt - sizePt) / 2, { lineBreak: false });
  }

  tag(parent: Tag, kind: string, draw: () => void, alt?: string): void {
    parent.add(this.doc.struct(kind, alt === undefined ? {} : { alt }, [draw]));
  }

  /** Hidden from screen readers. */
  decorate(draw: (doc: PDFKit.PDFDocument) => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    this.doc.markContent('Artifact', { type });
    this.doc.save();
    draw(this.doc);
    this.doc.restore();
    this.doc.endMarkedContent();
  }

  box(xPt: number, yPt: number, widthPt: number, heightPt: number, fill: string, radiusPt = 0): void {
    this.decorate((doc) =>
      (radiusPt > 0 ? doc.roundedRect(xPt, yPt, widthPt, heightPt, radiusPt) : doc.rect(xPt, yPt, widthPt, heightPt)).fill(fill),
    );
  }

  icon(sign: Sign, xPt: number, yPt: number, sizePt: number, colour: string): void {
    const { outline, sign: inner, dash } = SIGNS[sign].icon;
    this.decorate((doc) => {
      doc
        .translate(xPt, yPt)
        .scale(sizePt / 16)
        .lineWidth(1.6)
        .lineCap('round')
        .lineJoin('round')
        .strokeColor(colour);
      if (dash) doc.dash(dash[0], { space: dash[1] });
      doc.path(outline).stroke();
      doc.undash().path(inner).stroke();
    });
  }

  drawing({ widthUnits, shapes }: Drawing, xPt: number, yPt: number, widthPt: number): void {
    this.decorate((doc) => {
      doc.translate(xPt, yPt).scale(widthPt / widthUnits);
      for (const { look, path } of shapes) {
        const { fill, stroke, strokeUnits, dashUnits } = INKS[look];
        if (dashUnits) doc.dash(dashUnits[0], { space: dashUnits[1] });
        if (strokeUnits !== undefined) doc.lineWidth(strokeUnits);
        doc.path(path);
        if (fill && stroke) doc.fillAndStroke(fill, stroke);
        else if (fill) doc.fill(fill);
        else doc.stroke(stroke ?? COLOURS.steel);
        if (dashUnits) doc.undash();
      }
    });
  }
}

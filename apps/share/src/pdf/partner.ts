import type { Words } from '../page/words/words';
import { type Box, EMPTY, row, stack, text } from './boxes';
import { CONTENT_WIDTH_PT, type Sheet } from './sheet';
import { STYLES } from './theme';

/** The partner as a PDF shows it. Parts that are not set are null. */
export interface PdfPartner {
  readonly name: string | null;
  readonly phone: string | null;
  readonly address: string | null;
  /** With line breaks. */
  readonly openingHours: string | null;
  /** The logo as assets made it. It is embedded without a change. */
  readonly logo: { readonly png: Uint8Array; readonly widthPx: number; readonly heightPx: number } | null;
}

const LOGO = { widthPt: 130, heightPt: 34, gapPt: 10 };

/** The logo beside name and phone number. Empty where nothing is set. */
export function partnerRow(sheet: Sheet, words: Words, partner: PdfPartner | null): Box[] {
  if (!partner) return [];
  const { name, phone, address, openingHours, logo } = partner;
  const hours = openingHours?.split('\n').map((line, index) => (index === 0 ? `${words.openingHours} ${line}` : line)) ?? [];
  if ((name ?? phone ?? address ?? openingHours ?? logo) === null) return [];
  const drawn = logo === null ? null : logoBox(sheet, name ?? words.logo, logo);
  const atPt = drawn === null ? 0 : drawn.widthPt + LOGO.gapPt;
  const widthPt = CONTENT_WIDTH_PT - atPt;
  const named = stack([
    name === null ? EMPTY : text(sheet, name, STYLES.strong, { widthPt }),
    phone === null ? EMPTY : text(sheet, `${words.phone} ${phone}`, STYLES.small, { widthPt }),
    ...[address, ...hours].flatMap((line) => (line === null ? [] : [text(sheet, line, STYLES.small, { widthPt })])),
  ]);
  return [row([...(drawn === null ? [] : [{ atPt: 0, box: drawn }]), { atPt, box: named }], 'middle')];
}

function logoBox(
  sheet: Sheet,
  alt: string,
  { png, widthPx, heightPx }: NonNullable<PdfPartner['logo']>,
): Box & { readonly widthPt: number } {
  const scale = Math.min(LOGO.widthPt / widthPx, LOGO.heightPt / heightPx, 1);
  const [widthPt, heightPt] = [widthPx * scale, heightPx * scale];
  return {
    widthPt,
    heightPt,
    draw: (parent, xPt, yPt) =>
      sheet.tag(parent, 'Figure', () => void sheet.doc.image(Buffer.from(png), xPt, yPt, { fit: [widthPt, heightPt] }), alt),
  };
}

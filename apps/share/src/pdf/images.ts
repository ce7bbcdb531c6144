import type { Content } from '@tire/contracts/api';
import { shownAsStored } from '@tire/kernel';
import { type DepthMark, depthMarks } from '../page/depth-marks';
import { degreesOf, DEPTHS_ORDER, type Overlay, IMAGES_TITLE, sidewallLabel, sidewallText, treadLabel } from '../page/words';
import { type Box, chips, columns, stack, text } from './boxes';
import { CONTENT_WIDTH_PT, type Sheet } from './sheet';
import { COLOURS, STYLES } from './theme';

export interface PdfImage {
  /** Turned and flipped as a browser shows the image. */
  readonly jpeg: Uint8Array;
  /** The EXIF orientation number of the stored pixels. */
  readonly orientation: number;
  /** Of the stored pixels. 0 if unknown. */
  readonly widthPx: number;
  readonly heightPx: number;
}

/** By asset id. An image that is missing could not be read. */
export type PdfImages = ReadonlyMap<string, PdfImage>;

export const NOT_READ = '사진을 불러오지 못했습니다.';

const IN_A_ROW = 4;
const WIDTH_PT = 108;
const GAP_PT = (CONTENT_WIDTH_PT - IN_A_ROW * WIDTH_PT) / (IN_A_ROW - 1);
const RADIUS_PT = 6;

/** Heading and rows of images, each with the values that were read from it. */
export function imageRows(sheet: Sheet, { render_data }: Content, images: PdfImages): Box[] {
  const treads = render_data.tread_overlays.map((overlay) => {
    const label = treadLabel(overlay);
    const depths = overlay.remaining_depths_mm.map((depthMm) => depthMm.toFixed(1));
    const caption = depths.length === 0 ? [] : [text(sheet, DEPTHS_ORDER, STYLES.small), chips(sheet, depths, WIDTH_PT)];
    return figure(sheet, label, caption, images.get(overlay.asset.asset_id), overlay);
  });
  const sidewalls = render_data.sidewall_specs.map((sidewall) => {
    const caption = text(sheet, sidewallText(sidewall), STYLES.small, { widthPt: WIDTH_PT });
    return figure(sheet, sidewallLabel(sidewall), [caption], images.get(sidewall.asset.asset_id));
  });
  const rows = [...inRows(treads), ...inRows(sidewalls)];
  return rows.length === 0 ? [] : [text(sheet, IMAGES_TITLE, STYLES.heading, { tag: 'H2' }), ...rows];
}

const inRows = (figures: readonly Box[]): Box[] =>
  figures
    .map((_, index) => figures.slice(index, index + IN_A_ROW))
    .filter((_, index) => index % IN_A_ROW === 0)
    .map((some) => columns(some, WIDTH_PT, GAP_PT));

function figure(sheet: Sheet, label: string, caption: readonly Box[], image: PdfImage | undefined, overlay?: Overlay): Box {
  const words = stack([text(sheet, label, STYLES.strong, { widthPt: WIDTH_PT }), ...caption], 1);
  const missing = text(sheet, NOT_READ, STYLES.small, { widthPt: WIDTH_PT - 16, align: 'center' });
  return {
    heightPt: WIDTH_PT + 4 + words.heightPt,
    draw: (parent, xPt, yPt) => {
      if (image) {
        sheet.box(xPt, yPt, WIDTH_PT, WIDTH_PT, COLOURS.soft, RADIUS_PT);
        const draw = () => {
          place(sheet.doc, image, overlay, xPt, yPt);
          if (overlay) marks(sheet, depthMarks(overlay, image), xPt + WIDTH_PT / 2, yPt + WIDTH_PT / 2);
        };
        sheet.tag(parent, 'Figure', draw, label);
      } else {
        sheet.box(xPt, yPt, WIDTH_PT, WIDTH_PT, COLOURS.soft, RADIUS_PT);
        missing.draw(parent, xPt + 8, yPt + (WIDTH_PT - missing.heightPt) / 2);
      }
      words.draw(parent, xPt, yPt + WIDTH_PT + 4);
    },
  };
}

/**
 * Draws the grooves in stored pixels, over the image that is turned back to them. Then both are turned about the middle of the square, and
 * flipped. An image without grooves is drawn as a browser shows it.
 */
function place(doc: PDFKit.PDFDocument, image: PdfImage, overlay: Overlay | undefined, xPt: number, yPt: number): void {
  const [storedWidth, storedHeight] = image.widthPx > 0 && image.heightPx > 0 ? [image.widthPx, image.heightPx] : [4, 3];
  const [across, down] = !overlay && image.orientation > 4 ? [storedHeight, storedWidth] : [storedWidth, storedHeight];
  const scale = WIDTH_PT / Math.max(across, down);
  const [width, height] = [across * scale, down * scale];
  doc.save();
  doc.roundedRect(xPt, yPt, WIDTH_PT, WIDTH_PT, RADIUS_PT).clip();
  doc.translate(xPt + WIDTH_PT / 2, yPt + WIDTH_PT / 2);
  if (overlay?.coordinate_system.mirror_x) doc.scale(-1, 1);
  if (overlay) doc.rotate(degreesOf(overlay));
  doc.translate(-width / 2, -height / 2);
  doc.save();
  doc.scale(width, height);
  if (overlay) doc.transform(...shownAsStored(image.orientation));
  doc.image(Buffer.from(image.jpeg), 0, 0, { width: 1, height: 1 });
  doc.restore();
  for (const { polygon_xy_norm } of overlay?.groove_masks ?? []) {
    if (polygon_xy_norm.length === 0) continue;
    doc.polygon(...polygon_xy_norm.map(([x, y]): [number, number] => [x * width, y * height]));
    doc.lineWidth(1).fillOpacity(0.3).fillAndStroke(COLOURS.groove, COLOURS.groove).fillOpacity(1);
  }
  doc.restore();
}

const MARK = { padPt: 1.3, opacity: 0.8 };

/** Depth labels on their grooves, upright however the image is turned. */
function marks(sheet: Sheet, all: readonly DepthMark[], middleXPt: number, middleYPt: number): void {
  const { linePt } = STYLES.mark;
  for (const { text: depth, inSquare } of all) {
    const widthPt = sheet.widthOf(depth, STYLES.mark);
    const [xPt, yPt] = [middleXPt + inSquare[0] * WIDTH_PT - widthPt / 2, middleYPt + inSquare[1] * WIDTH_PT - linePt / 2];
    sheet.doc.fillOpacity(MARK.opacity);
    sheet.doc.roundedRect(xPt - MARK.padPt, yPt, widthPt + 2 * MARK.padPt, linePt, MARK.padPt).fill(COLOURS.mark);
    sheet.doc.fillOpacity(1);
    sheet.write(depth, xPt, yPt, STYLES.mark);
  }
}

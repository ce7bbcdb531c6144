import type { Content, ContentTire } from '@tire/contracts/api';
import { pointAsShown, shownAsStored } from '@tire/kernel';
import { type DepthMark, depthMarks, type Point } from '../page/drawings/depth-marks';
import { sameImageText, type Sidewall, sidewallLabel, sidewallLines, treadLabel } from '../page/facts/facts';
import { baldText, degreesOf, listedDepths, listingOf, type Overlay, unseenTexts } from '../page/facts/grooves';
import type { Words } from '../page/words/words';
import { type Box, chips, columns, stack, text } from './boxes';
import { CONTENT_WIDTH_PT, type Sheet } from './sheet';
import { COLOURS, inked, STYLES, TONES } from './theme';

export interface PdfImage {
  /** Turned and flipped as a browser shows the image. */
  readonly jpeg: Uint8Array;
  /** The EXIF orientation number of the stored pixels. */
  readonly orientation: number;
  /** The width in stored pixels. 0 if unknown. */
  readonly widthPx: number;
  readonly heightPx: number;
}

/** By asset id. `ended`: its time is over. A missing image could not be read. */
export type PdfImages = ReadonlyMap<string, PdfImage | 'ended'>;

/** How images stand on a sheet. */
export interface Grid {
  readonly inARow: number;
  /** The side of the square that holds an image. Marks fit into 108 pt and more. */
  readonly sidePt: number;
}

/** The treads in one row, the sidewalls under them. */
export const SMALL_IMAGES: Grid = { inARow: 4, sidePt: 108 };
/** The same number of images takes more room, where there is room. */
export const largeImages = (count: number): Grid => (count > 4 ? { inARow: 3, sidePt: 150 } : { inARow: 2, sidePt: 190 });

const gapOf = ({ inARow, sidePt }: Grid): number => (CONTENT_WIDTH_PT - inARow * sidePt) / (inARow - 1);
const RADIUS_PT = 6;
const isSmall = ({ inARow }: Grid): boolean => inARow === SMALL_IMAGES.inARow;

/** Depths with intervals stand in pairs, so they reach into the gap between two small images. */
const CHIPS_APART_PT = 8;
const chipsWidth = (grid: Grid): number => (isSmall(grid) ? grid.sidePt + gapOf(grid) - CHIPS_APART_PT : grid.sidePt);

/** What stands in place of a missing image depends on why it is missing. Heading and rows of images, each with the values that were read from it. */
export function imageRows(sheet: Sheet, words: Words, content: Content, images: PdfImages, grid: Grid): Box[] {
  const { tread_overlays, sidewall_specs } = content.render_data;
  const treads = tread_overlays.map((overlay) => {
    const caption = treadCaption(sheet, words, content.tires, overlay, grid);
    return figure(sheet, words, treadLabel(words, overlay), caption, images.get(overlay.asset.asset_id), { overlay, grid });
  });
  const sidewalls = sidewall_specs.map((one) => {
    const outline = one.size_polygon_xy_norm ?? [];
    return figure(sheet, words, sidewallLabel(words, one), sidewallCaption(sheet, words, one, grid), images.get(one.asset.asset_id), {
      outline,
      grid,
    });
  });
  const rows = isSmall(grid) ? [...inRows(treads, grid), ...inRows(sidewalls, grid)] : inRows([...treads, ...sidewalls], grid);
  return rows.length === 0 ? [] : [text(sheet, words.imagesTitle, STYLES.heading, { tag: 'H2' }), ...rows];
}

const lineOf =
  (sheet: Sheet, { sidePt }: Grid) =>
  (words: string, style = STYLES.small): Box =>
    text(sheet, words, style, { widthPt: sidePt });

function treadCaption(sheet: Sheet, words: Words, tires: readonly ContentTire[], overlay: Overlay, grid: Grid): Box[] {
  const line = lineOf(sheet, grid);
  const listed = listedDepths(words, overlay, tires);
  const depths = listed.map(({ text: depth, interval }) => (interval === null ? depth : `${depth} ${interval}`));
  const bald = baldText(words, overlay, tires);
  const sameImage = sameImageText(words, tires, overlay.slot_id);
  return [
    ...(bald === null ? [] : [line(bald, inked(STYLES.smallStrong, TONES.critical.ink))]),
    ...(depths.length === 0 && bald === null ? [line(words.noDepth, inked(STYLES.smallStrong, TONES.unknown.ink))] : []),
    ...(depths.length === 0 ? [] : [line(listingOf(words, overlay, tires).depthsOrder), chips(sheet, depths, chipsWidth(grid))]),
    ...unseenTexts(words, overlay, tires).map((one) => line(one, inked(STYLES.smallStrong, TONES.unknown.ink))),
    ...(sameImage === null ? [] : [line(sameImage, inked(STYLES.smallStrong, TONES.caution.ink))]),
  ];
}

function sidewallCaption(sheet: Sheet, words: Words, one: Sidewall, grid: Grid): Box[] {
  const line = lineOf(sheet, grid);
  const { read, advice } = sidewallLines(words, one);
  const advised = advice === null ? [] : [line(advice, inked(STYLES.smallStrong, TONES.caution.ink))];
  return [...read.map((words) => line(words)), ...advised];
}

const inRows = (figures: readonly Box[], grid: Grid): Box[] =>
  figures
    .map((_, index) => figures.slice(index, index + grid.inARow))
    .filter((_, index) => index % grid.inARow === 0)
    .map((some) => columns(some, grid.sidePt, gapOf(grid)));

/** The drawing over an image: the grooves of a tread, or the outline of the size on a sidewall. */
interface Over {
  readonly grid: Grid;
  readonly overlay?: Overlay;
  readonly outline?: readonly Point[];
}

function figure(
  sheet: Sheet,
  words: Words,
  label: string,
  caption: readonly Box[],
  image: PdfImage | 'ended' | undefined,
  over: Over,
): Box {
  const { sidePt } = over.grid;
  const under = stack([text(sheet, label, STYLES.strong, { widthPt: sidePt }), ...caption], 1);
  const missing = text(sheet, image === 'ended' ? words.imageEnded : words.imageNotRead, STYLES.small, {
    widthPt: sidePt - 16,
    align: 'center',
  });
  return {
    heightPt: sidePt + 4 + under.heightPt,
    draw: (parent, xPt, yPt) => {
      if (image && image !== 'ended') {
        sheet.box(xPt, yPt, sidePt, sidePt, COLOURS.soft, RADIUS_PT);
        const draw = () => {
          place(sheet.doc, image, over, xPt, yPt);
          if (over.overlay) marks(sheet, depthMarks(over.overlay, image, words), xPt + sidePt / 2, yPt + sidePt / 2, sidePt);
        };
        sheet.tag(parent, 'Figure', draw, label);
      } else {
        sheet.box(xPt, yPt, sidePt, sidePt, COLOURS.soft, RADIUS_PT);
        missing.draw(parent, xPt + 8, yPt + (sidePt - missing.heightPt) / 2);
      }
      under.draw(parent, xPt, yPt + sidePt + 4);
    },
  };
}

/**
 * Draws the grooves in stored pixels, over the image that is turned back to them. Then both are turned about the middle of the square, and
 * flipped. An image without grooves is drawn as a browser shows it.
 */
function place(
  doc: PDFKit.PDFDocument,
  image: PdfImage,
  { overlay, outline = [], grid: { sidePt } }: Over,
  xPt: number,
  yPt: number,
): void {
  const [storedWidth, storedHeight] = image.widthPx > 0 && image.heightPx > 0 ? [image.widthPx, image.heightPx] : [4, 3];
  const [across, down] = !overlay && image.orientation > 4 ? [storedHeight, storedWidth] : [storedWidth, storedHeight];
  const scale = sidePt / Math.max(across, down);
  const [width, height] = [across * scale, down * scale];
  doc.save();
  doc.roundedRect(xPt, yPt, sidePt, sidePt, RADIUS_PT).clip();
  doc.translate(xPt + sidePt / 2, yPt + sidePt / 2);
  if (overlay?.coordinate_system.mirror_x) doc.scale(-1, 1);
  if (overlay) doc.rotate(degreesOf(overlay));
  doc.translate(-width / 2, -height / 2);
  doc.save();
  doc.scale(width, height);
  if (overlay) doc.transform(...shownAsStored(image.orientation));
  doc.image(Buffer.from(image.jpeg), 0, 0, { width: 1, height: 1 });
  doc.restore();
  const path = (points: readonly Point[]) => doc.polygon(...points.map(([x, y]): [number, number] => [x * width, y * height]));
  for (const { polygon_xy_norm } of overlay?.bald_zones?.zones ?? []) zone(doc, polygon_xy_norm, path, Math.max(width, height));
  const outlines = [...(overlay?.groove_masks ?? []).map(({ polygon_xy_norm }) => polygon_xy_norm), outlineAsShown(image, outline)];
  for (const points of outlines.filter(({ length }) => length > 0)) {
    path(points).lineWidth(1).fillOpacity(0.3).fillAndStroke(COLOURS.groove, COLOURS.groove).fillOpacity(1);
  }
  doc.restore();
}

const outlineAsShown = ({ orientation }: PdfImage, outline: readonly Point[]): Point[] =>
  outline.map((point) => pointAsShown(orientation, point));

const STRIPE_PT = 5;

/** Stripes, so that a zone without pattern does not depend on colour alone. */
function zone(
  doc: PDFKit.PDFDocument,
  points: readonly Point[],
  path: (points: readonly Point[]) => PDFKit.PDFDocument,
  side: number,
): void {
  if (points.length === 0) return;
  doc.save();
  path(points).clip();
  doc.rect(0, 0, side, side).fillOpacity(0.22).fill(COLOURS.bald).fillOpacity(1);
  doc.lineWidth(1.6).strokeOpacity(0.6);
  for (let at = STRIPE_PT; at < 2 * side; at += STRIPE_PT) doc.moveTo(at, 0).lineTo(at - side, side);
  doc.stroke(COLOURS.baldStripe).strokeOpacity(1);
  doc.restore();
  path(points).lineWidth(1).dash(4, { space: 2 }).stroke(COLOURS.baldStripe).undash();
}

const MARK = { padPt: 1.3, opacity: 0.8 };

/** Depth labels on their grooves, upright however the image is turned. */
function marks(sheet: Sheet, all: readonly DepthMark[], middleXPt: number, middleYPt: number, sidePt: number): void {
  const { linePt } = STYLES.mark;
  for (const { kind, text: depth, inSquare } of all) {
    const widthPt = sheet.widthOf(depth, STYLES.mark);
    const [xPt, yPt] = [middleXPt + inSquare[0] * sidePt - widthPt / 2, middleYPt + inSquare[1] * sidePt - linePt / 2];
    sheet.doc.fillOpacity(MARK.opacity);
    sheet.doc
      .roundedRect(xPt - MARK.padPt, yPt, widthPt + 2 * MARK.padPt, linePt, MARK.padPt)
      .fill(kind === 'bald' ? COLOURS.bald : COLOURS.mark);
    sheet.doc.fillOpacity(1);
    sheet.write(depth, xPt, yPt, STYLES.mark);
  }
}

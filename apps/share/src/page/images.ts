import type { Content } from '@tire/contracts/api';
import { drawnAsShown, pointAsShown, transformOf, uprightOf } from '@tire/kernel';
import { type DepthMark, depthMarks, type StoredSize } from './depth-marks';
import { html, type Html } from './html';
import { degreesOf, DEPTHS_ORDER, type Overlay, IMAGES_TITLE, sidewallLabel, sidewallText, treadLabel } from './words';

export interface PageImage extends StoredSize {
  /** Short-lived. Its pixels are turned and flipped already, so the image has no metadata of its own. */
  readonly url: string;
  /** The same image with a long side of 480 pixels. */
  readonly smallUrl: string;
  /** The EXIF orientation number of the stored pixels, to which coordinates refer. */
  readonly orientation: number;
}

export type PageImages = ReadonlyMap<string, PageImage>;

interface Shown {
  readonly section: Html | null;
  /** CSS rules for positions in this report. The policy of the page forbids style attributes. */
  readonly style: string;
}

interface Figure {
  readonly figure: Html;
  readonly rules: readonly string[];
}

export function imagesOf({ render_data }: Content, images: PageImages): Shown {
  const treads = render_data.tread_overlays.flatMap((overlay, index) => {
    const image = images.get(overlay.asset.asset_id);
    return image === undefined ? [] : [tread(overlay, image, index)];
  });
  const sidewalls = render_data.sidewall_specs.flatMap((sidewall) => {
    const image = images.get(sidewall.asset.asset_id);
    const label = sidewallLabel(sidewall);
    const caption = html`<b>${label}</b>${sidewallText(sidewall)}`;
    return image === undefined ? [] : [{ figure: figure(image, label, caption), rules: [] }];
  });
  const all: readonly Figure[] = [...treads, ...sidewalls];
  if (all.length === 0) return { section: null, style: '' };
  const section = html`<section aria-labelledby="photographs">
    <h2 id="photographs">${IMAGES_TITLE}</h2>
    <div class="photos">${all.map((one) => one.figure)}</div>
  </section>`;
  return { section, style: [...new Set(all.flatMap(({ rules }) => rules))].join('') };
}

function tread(overlay: Overlay, image: PageImage, index: number): Figure {
  const { orientation } = image;
  const label = treadLabel(overlay);
  const polygons = overlay.groove_masks.map(
    ({ polygon_xy_norm }) => html`<polygon points="${polygon_xy_norm.map((point) => point.map(placeOf).join()).join(' ')}" />`,
  );
  const marks = depthMarks(overlay, image);
  const drawing = html`<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      <g transform="matrix(${drawnAsShown(orientation)})">${polygons}</g>
    </svg>
    ${marks.map(({ text }, place) => html`<b class="${markClass(index, place)}" aria-hidden="true">${text}</b>`)}`;
  const depths = overlay.remaining_depths_mm;
  const caption = html`<b>${label}</b> ${
      depths.length > 0 &&
      html`<p>${DEPTHS_ORDER}</p>
        <ul class="depths">
          ${depths.map((depthMm) => html`<li>${depthMm.toFixed(1)}</li>`)}
        </ul>`
    }`;
  const rules = [turnRules(overlay, orientation), ...marks.map((mark, place) => markRule(mark, orientation, markClass(index, place)))];
  return { figure: figure(image, label, caption, drawing, turnClass(overlay, orientation)), rules };
}

/** A twentieth of a pixel in an image of 500 pixels. Short, because these numbers are half of a page. */
const placeOf = (share: number): string => String(Math.round(share * 10_000) / 10_000).replace(/^0\./, '.');

/** All images (eight at most) load at once, because their addresses may expire before a visitor returns to a tab and scrolls on. */
function figure(image: PageImage, alt: string, caption: Html, drawing: Html | null = null, turn = ''): Html {
  return html`<figure>
    <div class="photo">
      <div class="turn ${turn}">
        <img
          src="${image.url}"
          srcset="${image.smallUrl} 480w, ${image.url} 1600w"
          sizes="(min-width: 32rem) 15rem, 100vw"
          alt="${alt}"
          ${sizeOf(image)}
          decoding="async"
        />${drawing}
      </div>
    </div>
    <figcaption>${caption}</figcaption>
  </figure>`;
}

/** The size as a browser shows it, so that the drawing has its place before the image is loaded. */
function sizeOf({ orientation, widthPx, heightPx }: PageImage): Html | false {
  const [width, height] = orientation > 4 ? [heightPx, widthPx] : [widthPx, heightPx];
  return width > 0 && height > 0 && html`width="${width}" height="${height}" class="${width < height ? 'tall' : 'wide'}"`;
}

const turnClass = (overlay: Overlay, orientation: number): string =>
  `turn-${degreesOf(overlay)}${overlay.coordinate_system.mirror_x ? '-mirrored' : ''}${orientation > 1 ? `-of-${orientation}` : ''}`;

/** One class for each turn in whole degrees. CSS applies the rightmost transform first: turn, then flip. A label is turned back. */
function turnRules(overlay: Overlay, orientation: number): string {
  const [name, degrees, mirrored] = [turnClass(overlay, orientation), degreesOf(overlay), overlay.coordinate_system.mirror_x];
  const back = uprightOf(orientation, degrees, mirrored);
  return `.${name}{transform:${transformOf(orientation, degrees, mirrored)}}\n.${name} b{transform:translate(-50%,-50%) ${back}}\n`;
}

const markClass = (overlay: number, place: number): string => `mark-${overlay}-${place}`;

function markRule({ inImage }: DepthMark, orientation: number, name: string): string {
  const [left, top] = pointAsShown(orientation, inImage).map((part) => (100 * part).toFixed(1));
  return `.${name}{left:${left}%;top:${top}%}\n`;
}

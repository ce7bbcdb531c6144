import type { Content, ContentTire } from '@tire/contracts/api';
import { drawnAsShown, pointAsShown, transformOf, uprightOf } from '@tire/kernel';
import { type DepthMark, depthMarks, type Point, type StoredSize } from '../drawings/depth-marks';
import { sameImageText, type Sidewall, sidewallLabel, sidewallLines, treadLabel } from '../facts/facts';
import { baldText, degreesOf, listedDepths, listingOf, type Overlay, unseenTexts } from '../facts/grooves';
import { html, type Html } from './html';
import { icon } from '../facts/severity';
import type { Words } from '../words/words';

export interface PageImage extends StoredSize {
  /**
   * A WebP of 60 KB at most; none by an assets of the former release. Short-lived. Its pixels are turned and flipped already, so the image has
   * no metadata of its own.
   */
  readonly thumbnailUrl: string | null;
  /** The same image as a JPEG with a long side of 480 pixels, for the PDF and for a browser without WebP. */
  readonly smallUrl: string;
  /** The EXIF orientation number of the stored pixels, to which coordinates refer. */
  readonly orientation: number;
}

/** By asset id. `ended`: its time is over. */
export type PageImages = ReadonlyMap<string, PageImage | 'ended'>;

interface Shown {
  readonly section: Html | null;
  /** CSS rules for positions in this report. The policy of the page forbids style attributes. */
  readonly style: string;
}

interface Figure {
  readonly figure: Html;
  readonly rules: readonly string[];
}

/** A missing image is left out. One whose time is over has a notice in its place. */
export function imagesOf(words: Words, content: Content, images: PageImages): Shown {
  const { tread_overlays, sidewall_specs } = content.render_data;
  const treads = tread_overlays.flatMap((overlay, index) => {
    const image = images.get(overlay.asset.asset_id);
    if (!image) return [];
    return [image === 'ended' ? ended(words, treadCaptionOf(words, content, overlay)) : tread(words, content, overlay, image, index)];
  });
  const sidewalls = sidewall_specs.flatMap((one) => {
    const image = images.get(one.asset.asset_id);
    if (!image) return [];
    return [image === 'ended' ? ended(words, sidewallCaptionOf(words, one)) : sidewall(words, one, image)];
  });
  const all: readonly Figure[] = [...treads, ...sidewalls];
  if (all.length === 0) return { section: null, style: '' };
  const section = html`<section aria-labelledby="photographs">
    <h2 id="photographs">${words.imagesTitle}</h2>
    <div class="photos">${all.map((one) => one.figure)}</div>
  </section>`;
  return { section, style: [...new Set(all.flatMap(({ rules }) => rules))].join('') };
}

/** Outlines are drawn in ten-thousandths of the image: a twentieth of a pixel in an image of 500 pixels. */
const PARTS = 10_000;
const partsOf = (share: number): number => Math.round(share * PARTS);

/** Each point is written as its distance from the one before. Outlines are most of a page, and distances compress better than places. */
function pathOf(outline: readonly Point[]): string {
  const distances: number[] = [];
  let [fromX, fromY] = [0, 0];
  for (const [shareX, shareY] of outline) {
    const [x, y] = [partsOf(shareX), partsOf(shareY)];
    distances.push(x - fromX, y - fromY);
    [fromX, fromY] = [x, y];
  }
  const [x, y, ...rest] = distances;
  // A minus separates numbers too.
  return distances.length === 0 ? '' : `M${x} ${y}l${rest.join(' ').replaceAll(' -', '-')}z`;
}

const shape = (outline: readonly Point[], fill: string | null = null): Html =>
  html`<path ${fill !== null && html`class="bald" fill="${fill}"`} d="${pathOf(outline)}" />`;

const drawing = (orientation: number, shapes: readonly Html[]): Html =>
  html`<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
    <g transform="matrix(${drawnAsShown(orientation)}) scale(${1 / PARTS})">${shapes}</g>
  </svg>`;

/** Stripes, so that a zone without pattern does not depend on colour alone. */
const stripes = (id: string): Html =>
  html`<pattern id="${id}" width="500" height="500" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width="500" height="500" /><rect class="stripe" width="200" height="500" />
  </pattern>`;

const treadCaptionOf = (words: Words, { tires }: Content, overlay: Overlay): Html =>
  html`<b>${treadLabel(words, overlay)}</b> ${treadCaption(words, tires, overlay)}`;

const ended = (words: Words, caption: Html): Figure => ({
  figure: html`<figure>
    <p class="photo ended">${words.imageEnded}</p>
    <figcaption>${caption}</figcaption>
  </figure>`,
  rules: [],
});

function tread(words: Words, content: Content, overlay: Overlay, image: PageImage, index: number): Figure {
  const { orientation } = image;
  const label = treadLabel(words, overlay);
  const zones = overlay.bald_zones?.zones ?? [];
  const shapes = [
    ...(zones.length > 0 ? [stripes(`bald-${index}`)] : []),
    ...zones.map(({ polygon_xy_norm }) => shape(polygon_xy_norm, `url(#bald-${index})`)),
    ...overlay.groove_masks.map(({ polygon_xy_norm }) => shape(polygon_xy_norm)),
  ];
  const marks = depthMarks(overlay, image, words);
  const drawn = html`${drawing(orientation, shapes)}
  ${marks.map(
    ({ kind, text }, place) => html`<b class="${kind === 'bald' && 'zone '}${markClass(index, place)}" aria-hidden="true">${text}</b>`,
  )}`;
  const rules = [turnRules(overlay, orientation), ...marks.map((mark, place) => markRule(mark, orientation, markClass(index, place)))];
  const caption = treadCaptionOf(words, content, overlay);
  return { figure: figure(image, label, caption, drawn, turnClass(overlay, orientation)), rules };
}

function treadCaption(words: Words, tires: readonly ContentTire[], overlay: Overlay): (Html | null | false)[] {
  const depths = listedDepths(words, overlay, tires);
  const bald = baldText(words, overlay, tires);
  const sameImage = sameImageText(words, tires, overlay.slot_id);
  return [
    bald === null ? null : html`<p class="found critical">${icon('critical')}<span>${bald}</span></p>`,
    depths.length === 0
      ? bald === null && html`<p class="found unknown">${icon('unknown')}<span>${words.noDepth}</span></p>`
      : html`<p>${listingOf(words, overlay, tires).depthsOrder}</p>
          <ul class="depths">
            ${depths.map(({ text, interval }) => html`<li>${text}${interval !== null && html` <small>${interval}</small>`}</li>`)}
          </ul>`,
    ...unseenTexts(words, overlay, tires).map((one) => html`<p class="found unknown">${icon('unknown')}<span>${one}</span></p>`),
    sameImage === null ? null : html`<p class="found caution">${icon('caution')}<span>${sameImage}</span></p>`,
  ];
}

function sidewallCaptionOf(words: Words, one: Sidewall): Html {
  const { read, advice } = sidewallLines(words, one);
  return html`<b>${sidewallLabel(words, one)}</b> ${read.map((line) => html`<span class="line">${line}</span>`)}
    ${advice !== null && html`<p class="found caution">${icon('caution')}<span>${advice}</span></p>`}`;
}

function sidewall(words: Words, one: Sidewall, image: PageImage): Figure {
  const label = sidewallLabel(words, one);
  const outline = one.size_polygon_xy_norm ?? [];
  const caption = sidewallCaptionOf(words, one);
  return { figure: figure(image, label, caption, outline.length > 0 ? drawing(image.orientation, [shape(outline)]) : null), rules: [] };
}

/** All images (eight at most) load at once, because their addresses may expire before a visitor returns to a tab and scrolls on. */
function figure(image: PageImage, alt: string, caption: Html, drawing: Html | null = null, turn = ''): Html {
  return html`<figure>
    <div class="photo">
      <div class="turn ${turn}">
        <picture
          >${image.thumbnailUrl !== null && html`<source type="image/webp" srcset="${image.thumbnailUrl}" />`}
          <img src="${image.smallUrl}" alt="${alt}" ${sizeOf(image)} decoding="async" /></picture
        >${drawing}
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

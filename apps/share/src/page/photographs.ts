import type { Content } from '@tire/contracts';
import { drawnAsShown, pointAsShown, transformOf, uprightOf } from '@tire/kernel';
import { type DepthMark, depthMarks, type StoredSize } from './depth-marks';
import { html, type Html } from './html';
import { degreesOf, DEPTHS_ORDER, type Overlay, PHOTOGRAPHS_TITLE, sidewallLabel, sidewallText, treadLabel } from './words';

export interface Photograph extends StoredSize {
  /** Short-lived. */
  readonly url: string;
  /** As EXIF numbers it. */
  readonly orientation: number;
}

export type Photographs = ReadonlyMap<string, Photograph>;

interface Shown {
  readonly section: Html | null;
  /** Of what stands where is known for this report only: the policy of the page forbids style attributes. */
  readonly style: string;
}

interface Figure {
  readonly figure: Html;
  readonly rules: readonly string[];
}

export function photographsOf({ render_data }: Content, photographs: Photographs): Shown {
  const treads = render_data.tread_overlays.flatMap((overlay, index) => {
    const photograph = photographs.get(overlay.asset.asset_id);
    return photograph === undefined ? [] : [tread(overlay, photograph, index)];
  });
  const sidewalls = render_data.sidewall_specs.flatMap((sidewall) => {
    const photograph = photographs.get(sidewall.asset.asset_id);
    const label = sidewallLabel(sidewall);
    const caption = html`<b>${label}</b>${sidewallText(sidewall)}`;
    return photograph === undefined ? [] : [{ figure: figure(photograph, label, caption), rules: [] }];
  });
  const all: readonly Figure[] = [...treads, ...sidewalls];
  if (all.length === 0) return { section: null, style: '' };
  const section = html`<section aria-labelledby="photographs">
    <h2 id="photographs">${PHOTOGRAPHS_TITLE}</h2>
    <div class="photos">${all.map((one) => one.figure)}</div>
  </section>`;
  return { section, style: [...new Set(all.flatMap(({ rules }) => rules))].join('') };
}

function tread(overlay: Overlay, photograph: Photograph, index: number): Figure {
  const { orientation } = photograph;
  const label = treadLabel(overlay);
  const polygons = overlay.groove_masks.map(
    ({ polygon_xy_norm }) => html`<polygon points="${polygon_xy_norm.map((point) => point.map(placeOf).join()).join(' ')}" />`,
  );
  const marks = depthMarks(overlay, photograph);
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
  return { figure: figure(photograph, label, caption, drawing, turnClass(overlay, orientation)), rules };
}

/** A twentieth of a pixel where a photograph is shown 500 wide: half of a page is these numbers. */
const placeOf = (share: number): string => String(Math.round(share * 10_000) / 10_000).replace(/^0\./, '.');

/** Eight at most, loaded at once: their addresses end before somebody comes back to a tab and scrolls on. */
function figure(photograph: Photograph, alt: string, caption: Html, drawing: Html | null = null, turn = ''): Html {
  return html`<figure>
    <div class="photo">
      <div class="turn ${turn}"><img src="${photograph.url}" alt="${alt}" ${sizeOf(photograph)} decoding="async" />${drawing}</div>
    </div>
    <figcaption>${caption}</figcaption>
  </figure>`;
}

/** As a browser shows it: what is drawn over it has its place before it has come. */
function sizeOf({ orientation, widthPx, heightPx }: Photograph): Html | false {
  const [width, height] = orientation > 4 ? [heightPx, widthPx] : [widthPx, heightPx];
  return width > 0 && height > 0 && html`width="${width}" height="${height}" class="${width < height ? 'tall' : 'wide'}"`;
}

const turnClass = (overlay: Overlay, orientation: number): string =>
  `turn-${degreesOf(overlay)}${overlay.coordinate_system.mirror_x ? '-mirrored' : ''}${orientation > 1 ? `-of-${orientation}` : ''}`;

/** Whole degrees become classes. CSS applies the right one first: turned, then flipped; a mark is turned back about its middle. */
function turnRules(overlay: Overlay, orientation: number): string {
  const [name, degrees, mirrored] = [turnClass(overlay, orientation), degreesOf(overlay), overlay.coordinate_system.mirror_x];
  const back = uprightOf(orientation, degrees, mirrored);
  return `.${name}{transform:${transformOf(orientation, degrees, mirrored)}}\n.${name} b{transform:translate(-50%,-50%) ${back}}\n`;
}

const markClass = (overlay: number, place: number): string => `mark-${overlay}-${place}`;

function markRule({ inPhotograph }: DepthMark, orientation: number, name: string): string {
  const [left, top] = pointAsShown(orientation, inPhotograph).map((part) => (100 * part).toFixed(1));
  return `.${name}{left:${left}%;top:${top}%}\n`;
}

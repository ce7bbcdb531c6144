import type { Content } from '@tire/contracts';
import { html, type Html } from './html';
import { drawnAsShown, transformOf } from './orientation';
import { degreesOf, DEPTHS_ORDER, type Overlay, PHOTOGRAPHS_TITLE, sidewallLabel, sidewallText, treadLabel } from './words';

export interface Photograph {
  /** Short-lived. */
  readonly url: string;
  /** As EXIF numbers it. */
  readonly orientation: number;
}

export type Photographs = ReadonlyMap<string, Photograph>;

export function photographsSection({ render_data }: Content, photographs: Photographs): Html | null {
  const treads = render_data.tread_overlays.flatMap((overlay) => {
    const photograph = photographs.get(overlay.asset.asset_id);
    return photograph === undefined ? [] : [tread(overlay, photograph)];
  });
  const sidewalls = render_data.sidewall_specs.flatMap((sidewall) => {
    const url = photographs.get(sidewall.asset.asset_id)?.url;
    const label = sidewallLabel(sidewall);
    return url === undefined ? [] : [figure(url, label, html`<b>${label}</b>${sidewallText(sidewall)}`)];
  });
  if (treads.length + sidewalls.length === 0) return null;
  return html`<section aria-labelledby="photographs">
    <h2 id="photographs">${PHOTOGRAPHS_TITLE}</h2>
    <div class="photos">${treads}${sidewalls}</div>
  </section>`;
}

function tread(overlay: Overlay, { url, orientation }: Photograph): Html {
  const label = treadLabel(overlay);
  const polygons = overlay.groove_masks.map(
    ({ polygon_xy_norm, depth_mm }) =>
      html`<polygon points="${polygon_xy_norm.map(([x, y]) => `${x},${y}`).join(' ')}"
        >${depth_mm !== null && html`<title>${depth_mm.toFixed(1)}mm</title>`}</polygon
      >`,
  );
  const drawing = html`<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
    <g transform="matrix(${drawnAsShown(orientation)})">${polygons}</g>
  </svg>`;
  const depths = overlay.remaining_depths_mm;
  const caption = html`<b>${label}</b> ${
      depths.length > 0 &&
      html`<p>${DEPTHS_ORDER}</p>
        <ul class="depths">
          ${depths.map((depthMm) => html`<li>${depthMm.toFixed(1)}</li>`)}
        </ul>`
    }`;
  return figure(url, label, caption, drawing, turnClass(overlay, orientation));
}

function figure(url: string, alt: string, caption: Html, drawing: Html | null = null, turn = ''): Html {
  return html`<figure>
    <div class="photo">
      <div class="turn ${turn}"><img src="${url}" alt="${alt}" loading="lazy" decoding="async" />${drawing}</div>
    </div>
    <figcaption>${caption}</figcaption>
  </figure>`;
}

const turnClass = (overlay: Overlay, orientation: number): string =>
  `turn-${degreesOf(overlay)}${overlay.coordinate_system.mirror_x ? '-mirrored' : ''}${orientation > 1 ? `-of-${orientation}` : ''}`;

/** Whole degrees become classes, since the policy of the page forbids style attributes. CSS applies the right one first: turned, then flipped. */
export function turnStyles({ render_data }: Content, photographs: Photographs): string {
  const rules = render_data.tread_overlays.flatMap((overlay) => {
    const orientation = photographs.get(overlay.asset.asset_id)?.orientation;
    if (orientation === undefined) return [];
    const transform = transformOf(orientation, degreesOf(overlay), overlay.coordinate_system.mirror_x);
    return `.${turnClass(overlay, orientation)}{transform:${transform}}\n`;
  });
  return [...new Set(rules)].join('');
}

import type { ContentTire } from '@tire/contracts';
import { html, Html } from './html';
import { badge } from './severity';

/** Seen from above, driving upwards: the left of the page is the left of the car. */
const BODY = new Html(
  `<path class="body" d="M22 30c0-18 12-26 30-26s30 8 30 26l3 46v70c0 22-12 30-33 30s-33-8-33-30V76Z"/>` +
    `<path class="glass" d="M28 62c14-8 34-8 48 0l-5 20c-12-4-26-4-38 0Z"/>` +
    `<path class="glass" d="M32 132c12 4 28 4 40 0l4 17c-14 6-34 6-48 0Z"/>` +
    `<path class="line" d="M33 84v46M71 84v46M30 24c10-8 34-8 44 0"/>` +
    `<path class="line" d="M19 70l-7 4v8l7-3M85 70l7 4v8l-7-3"/>`,
);

const WHEELS: Record<ContentTire['position'], { x: number; y: number }> = {
  front_left: { x: 10, y: 28 },
  front_right: { x: 80, y: 28 },
  rear_left: { x: 10, y: 124 },
  rear_right: { x: 80, y: 124 },
};

const wheel = ({ position, severity }: ContentTire): Html => {
  const { x, y } = WHEELS[position];
  return html`<rect class="wheel ${severity}" x="${x}" y="${y}" width="14" height="32" rx="4" />`;
};

export const depthText = (depthMm: number | null): string => (depthMm === null ? '–' : `${depthMm.toFixed(1)}mm`);

const place = (tire: ContentTire): Html => {
  const { position, position_label, minimum_remaining_depth_mm: depthMm, severity, severity_label } = tire;
  return html`<li class="at ${position}">
    <h3>${position_label}</h3>
    <p class="depth">
      ${depthMm === null ? html`<span aria-hidden="true">–</span><span class="spoken">깊이 확인 불가</span>` : depthText(depthMm)}
    </p>
    ${badge(severity, severity_label)}
  </li>`;
};

/** The four tires where they are on the car; the words stand beside it, so the picture may stay silent. */
export const car = (tires: readonly ContentTire[]): Html =>
  html`<div class="car">
    <svg viewBox="0 0 104 180" aria-hidden="true">${tires.map(wheel)}${BODY}</svg>
    <ul>
      ${tires.map(place)}
    </ul>
  </div>`;

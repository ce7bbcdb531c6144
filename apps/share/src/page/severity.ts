import type { ContentTire } from '@tire/contracts/api';
import { html, type Html } from './html';

export type Severity = ContentTire['severity'];

const CIRCLE = 'M1 8a7 7 0 1 1 14 0a7 7 0 1 1-14 0Z';

/** Each severity has its own shape, so that nothing depends on colour alone. In a square of 16 units. */
export const ICONS: Record<Severity, { readonly outline: string; readonly sign: string; readonly dash?: readonly [number, number] }> = {
  good: { outline: CIRCLE, sign: 'm4.8 8.3 2.2 2.2 4.3-4.7' },
  caution: { outline: 'M8 1.2 15.2 14.4H.8Z', sign: 'M8 6v4M8 12v.4' },
  critical: { outline: 'M5 1h6l4 4v6l-4 4H5l-4-4V5Z', sign: 'm5.6 5.6 4.8 4.8m0-4.8-4.8 4.8' },
  unknown: { outline: CIRCLE, sign: 'M6.2 6.4a1.9 1.9 0 1 1 2.6 1.8c-.5.2-.8.5-.8 1M8 11.4v.4', dash: [2.6, 1.8] },
};

export function icon(severity: Severity): Html {
  const { outline, sign, dash } = ICONS[severity];
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d="${outline}" ${dash && html`stroke-dasharray="${dash.join(' ')}"`} />
    <path d="${sign}" />
  </svg>`;
}

export const badge = (severity: Severity, label: string | null): Html | null =>
  label === null ? null : html`<span class="badge ${severity}">${icon(severity)}${label}</span>`;

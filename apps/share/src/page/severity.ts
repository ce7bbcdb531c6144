import type { ContentTire } from '@tire/contracts';
import { html, Html } from './html';

export type Severity = ContentTire['severity'];

/** A shape of its own for each, so that nothing hangs on telling colours apart. */
const SHAPES: Record<Severity, string> = {
  good: '<circle cx="8" cy="8" r="7"/><path d="m4.8 8.3 2.2 2.2 4.3-4.7"/>',
  caution: '<path d="M8 1.2 15.2 14.4H.8Z"/><path d="M8 6v4M8 12v.4"/>',
  critical: '<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5Z"/><path d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8"/>',
  unknown: '<circle cx="8" cy="8" r="7" stroke-dasharray="2.6 1.8"/><path d="M6.2 6.4a1.9 1.9 0 1 1 2.6 1.8c-.5.2-.8.5-.8 1M8 11.4v.4"/>',
};

export const icon = (severity: Severity): Html =>
  new Html(`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${SHAPES[severity]}</svg>`);

export const badge = (severity: Severity, label: string | null): Html | null =>
  label === null ? null : html`<span class="badge ${severity}">${icon(severity)}${label}</span>`;

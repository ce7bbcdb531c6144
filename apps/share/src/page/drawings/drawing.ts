import type { Sign } from '../facts/severity';
import { html, type Html } from '../document/html';

/** The role of a shape. Page and PDF each have their own colours for it. */
export type Look = 'body' | 'glass' | 'line' | `wheel ${Sign}` | 'rib' | 'worn' | 'vague' | 'new' | 'carcass' | ChartLook;

type ChartLook = 'threshold' | 'limit' | 'series' | 'interval' | 'point' | 'doubt';

/** SVG paths in their own units. Page and PDF draw the same numbers. */
export interface Drawing {
  readonly widthUnits: number;
  readonly heightUnits: number;
  readonly shapes: readonly { readonly look: Look; readonly path: string }[];
}

/** Hidden from screen readers: the text beside each drawing has the same content. */
export const svg = ({ widthUnits, heightUnits, shapes }: Drawing, className?: string): Html =>
  html`<svg ${className !== undefined && html`class="${className}"`} viewBox="0 0 ${widthUnits} ${heightUnits}" aria-hidden="true">
    ${shapes.map(({ look, path }) => html`<path class="${look}" d="${path}" />`)}
  </svg>`;

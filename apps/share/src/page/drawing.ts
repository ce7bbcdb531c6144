import type { Severity } from './severity';
import { html, type Html } from './html';

/** What a shape is; page and PDF each have their own colours for it. */
export type Look = 'body' | 'glass' | 'line' | `wheel ${Severity}` | 'rib' | 'worn' | 'vague' | 'new' | 'carcass';

/** SVG paths in their own units, drawn by the page as they are and by the PDF with the same numbers. */
export interface Drawing {
  readonly widthUnits: number;
  readonly heightUnits: number;
  readonly shapes: readonly { readonly look: Look; readonly path: string }[];
}

/** Silent: the words stand beside each drawing. */
export const svg = ({ widthUnits, heightUnits, shapes }: Drawing, className?: string): Html =>
  html`<svg ${className !== undefined && html`class="${className}"`} viewBox="0 0 ${widthUnits} ${heightUnits}" aria-hidden="true">
    ${shapes.map(({ look, path }) => html`<path class="${look}" d="${path}" />`)}
  </svg>`;

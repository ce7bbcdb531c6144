import type { Content, ContentSection } from '@tire/contracts/api';
import { html, type Html } from '../document/html';
import { axleRows, brakingBars, depthScale, type Row, sizeRows } from '../facts/facts';
import type { Words } from '../words/words';

const percent = (share: number): string => (100 * share).toFixed(1);

/** One scale with the colours of both limits. */
function scale({ limit, threshold, mark, span, legend }: ReturnType<typeof depthScale>): Html {
  return html`<figure class="scale">
    <svg viewBox="0 0 100 9" preserveAspectRatio="none" aria-hidden="true">
      <rect class="critical" width="${percent(limit)}" y="2" height="5" />
      <rect class="caution" x="${percent(limit)}" width="${percent(threshold - limit)}" y="2" height="5" />
      <rect class="good" x="${percent(threshold)}" width="${percent(1 - threshold)}" y="2" height="5" />
      ${span && html`<rect class="span" x="${percent(span.from)}" width="${percent(span.to - span.from)}" y="3.5" height="2" />`}
      ${mark !== null && html`<rect class="mark" x="${(100 * mark - 0.6).toFixed(1)}" width="1.2" height="9" />`}
    </svg>
    <figcaption>
      <ul class="legend">
        ${legend.map(({ label, value }) => html`<li><span>${label}</span> <b>${value}</b></li>`)}
      </ul>
    </figcaption>
  </figure>`;
}

/** Marks the distance beyond the braking distance of a new tire. */
function bars(words: Words, section: Extract<ContentSection, { section_id: 'braking_distance' }>): Html | null {
  const braking = brakingBars(words, section);
  if (braking === null) return null;
  return html`<ul class="bars">
      ${braking.bars.map(
        ({ label, value, reach, gap, span }) =>
          html`<li>
            <p><span>${label}</span> <b>${value}</b></p>
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect class="reach" width="${percent(reach)}" height="6" rx="1" />
              ${gap > 0 && html`<rect class="gap ${section.severity}" x="${percent(reach)}" width="${percent(gap)}" height="6" />`}
              ${span && html`<rect class="span" x="${percent(span.from)}" width="${percent(span.to - span.from)}" y="2.4" height="1.2" />`}
            </svg>
          </li>`,
      )}
    </ul>
    ${braking.note !== null && html`<p class="note">${braking.note}</p>`}`;
}

const pair = (rows: readonly Row[]): Html =>
  html`<dl class="pair">
    ${rows.map(
      ({ label, value }) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;

/** The graphic of a section, drawn from the facts of the document alone. */
export function graphic(words: Words, section: ContentSection, content: Content): Html | null {
  switch (section.section_id) {
    case 'tread_wear':
      return scale(depthScale(words, section.metrics, content.tires));
    case 'braking_distance':
      return bars(words, section);
    case 'position_variance':
      return pair(axleRows(words, section.metrics, content.tires));
    case 'sidewall_spec':
      return pair(sizeRows(words, section.metrics, content));
    case 'wear_pattern':
      return null;
  }
}

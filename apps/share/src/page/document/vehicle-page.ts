import { depthChart } from '../drawings/depth-chart';
import { svg } from '../drawings/drawing';
import type { TireHistory, VehicleFacts } from '../facts/vehicle-facts';
import { badge } from '../facts/severity';
import type { VehicleWords } from '../words/vehicle-words';
import { html, type Html } from './html';
import { page, type Page } from './layout';
import { type OtherLanguage, partnerBand, type ShownPartner } from './partner-band';

interface VehiclePageInput {
  readonly words: VehicleWords;
  readonly facts: VehicleFacts;
  readonly partner: ShownPartner;
  readonly imageOrigin: string;
  readonly cardUrl: string;
  readonly pdfUrl: string;
  readonly others: readonly OtherLanguage[];
}

const STYLE = `
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,9.5rem),1fr));gap:.6rem;margin:.75rem 0}.facts div{background:var(--soft);border-radius:.6rem;padding:.5rem .75rem}.facts dd{line-height:1.45}
.time{display:grid;gap:.5rem 1.25rem;align-items:start}@media (min-width:40rem){.time{grid-template-columns:minmax(0,5fr) minmax(0,6fr)}}
.time svg{display:block;width:100%;height:auto;background:var(--soft);border-radius:.6rem;padding:.4rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92rem;line-height:1.45}th,td{text-align:left;padding:.3rem .5rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top;font-weight:400}thead th{color:var(--muted);font-size:.85rem}td.number,th.number{text-align:right;white-space:nowrap}
.threshold{fill:none;stroke:var(--caution);stroke-width:.8;stroke-dasharray:3 2}.limit{fill:none;stroke:var(--critical);stroke-width:.8;stroke-dasharray:3 2}.series{fill:none;stroke:var(--muted);stroke-width:1}.interval{fill:none;stroke:var(--text);stroke-width:1}.point{fill:var(--text)}.doubt{fill:var(--card);stroke:var(--text);stroke-width:1}
.badge.near{color:var(--near);background:var(--near-bg)}
.old{font-weight:600}
:root{--near:#8f3400;--near-bg:#ffe3cf}@media (prefers-color-scheme:dark){:root{--near:#ffb085;--near-bg:#43220c}}
@media print{.time{grid-template-columns:5fr 6fr}tr{break-inside:avoid}section{break-inside:auto}.scroll{overflow:visible}}
`;

export function vehiclePage({ words, facts, partner, imageOrigin, cardUrl, pdfUrl, others }: VehiclePageInput): Page {
  const { base } = words;
  const body = html`${facts.samples !== null && html`<p class="samples">${facts.samples}</p>`} ${partnerBand(base, partner, others)}
    <header class="verdict neutral">
      ${facts.plate !== null && html`<p class="kind">${words.title}</p>`}
      <h1>${facts.plate === null ? words.title : html`<bdi>${facts.plate.value}</bdi>`}</h1>
      <p>${facts.summary ?? words.none}</p>
      ${facts.newestOnly !== null && html`<p class="fine">${facts.newestOnly}</p>`}
    </header>
    ${
      facts.summary !== null &&
      html`${facts.tires.map((tire) => tireSection(words, tire))}
        <p class="fine">${words.legend}</p>
        ${inspections(words, facts)}`
    }
    <footer>
      ${facts.summary !== null && html`<p><a href="${pdfUrl}" type="application/pdf">${base.pdfLink}</a></p>`}
      <p>${words.footnote}</p>
    </footer>`;
  // The preview of a link in a chat contains nothing about the car.
  const preview = { description: words.preview, imageUrl: cardUrl, locale: base.previewLocale };
  return page({ status: 200, lang: base.locale, title: words.title, body, imageOrigin, extraStyle: STYLE, preview });
}

function tireSection(words: VehicleWords, { position, label, rows, points, facts, advice }: TireHistory): Html {
  return html`<section aria-labelledby="${position}">
    <h2 id="${position}">${label}</h2>
    <dl class="facts">
      ${facts.map(
        (fact) =>
          html`<div>
            <dt>${fact.label}</dt>
            <dd>${fact.value}</dd>
          </div>`,
      )}
    </dl>
    ${advice !== null && html`<p class="old">${advice}</p>`}
    ${
      rows.length > 0 &&
      html`<div class="time">
        <div>${points.length > 0 && svg(depthChart(points))}</div>
        <div class="scroll" tabindex="0" role="region" aria-label="${words.tableOf(label)}">
          <table>
            <thead>
              <tr>
                <th scope="col">${words.day}</th>
                <th scope="col" class="number">${words.mileage}</th>
                <th scope="col">${words.depth}</th>
              </tr>
            </thead>
            <tbody>
              ${rows.map(
                ({ day, mileage, depth, note }) =>
                  html`<tr>
                    <th scope="row">${day}</th>
                    <td class="number">${mileage}</td>
                    <td>${depth}${note !== '' && html`<span class="line">${note}</span>`}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </div>`
    }
  </section>`;
}

const inspections = (words: VehicleWords, facts: VehicleFacts): Html =>
  html`<section aria-labelledby="inspections">
    <h2 id="inspections">${words.inspections}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="${words.inspectionsTable}">
      <table>
        <thead>
          <tr>
            <th scope="col">${words.day}</th>
            <th scope="col" class="number">${words.mileage}</th>
            <th scope="col">${words.verdict}</th>
          </tr>
        </thead>
        <tbody>
          ${facts.inspections.map(
            ({ day, at, mileage, verdict, sign }) =>
              html`<tr>
                <th scope="row"><time datetime="${at}">${day}</time></th>
                <td class="number">${mileage}</td>
                <td>${badge(sign, verdict)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;

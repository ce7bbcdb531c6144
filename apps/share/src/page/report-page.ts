import type { Content, ContentSection, ContentTire } from '@tire/contracts/api';
import { car } from './car';
import { svg } from './drawing';
import { graphic } from './graphics';
import { html, type Html } from './html';
import { page, type Page } from './layout';
import { type PageImages, imagesOf } from './images';
import { badge, icon } from './severity';
import { wearDrawing } from './wear-illustration';
import { FOOTNOTE, inOrder, inspectedRow, plateRow, TIRES_TITLE, TITLE } from './words';

export interface ReportPageInput {
  readonly content: Content;
  /** By asset id. A missing image is omitted. */
  readonly images: PageImages;
  readonly imageOrigin: string;
  /** The address of the preview image for messengers. */
  readonly cardUrl: string;
  readonly pdfUrl: string;
}

/** The preview of a link in a chat contains nothing about the car. */
const PREVIEW = '타이어 홈 깊이와 상태를 확인해 보세요.';

export function reportPage({ content, images, imageOrigin, cardUrl, pdfUrl }: ReportPageInput): Page {
  const shown = imagesOf(content, images);
  const body = html`${verdict(content)} ${tires(content.tires)} ${inOrder(content).map((one) => section(one, content.tires))}
    ${shown.section}
    <footer>
      <p><a href="${pdfUrl}" type="application/pdf">PDF로 보기</a></p>
      <p>${FOOTNOTE}</p>
    </footer>`;
  const preview = { description: PREVIEW, imageUrl: cardUrl };
  return page({ status: 200, title: TITLE, body, imageOrigin, extraStyle: shown.style, preview });
}

const paragraphs = (texts: readonly string[]): Html[] => texts.map((text) => html`<p>${text}</p>`);

function verdict({ overall, report_context }: Content): Html {
  const { plate_number: plate, inspected_at: inspectedAt } = report_context;
  return html`<header class="verdict ${overall?.severity ?? 'unknown'}">
    <p class="kind">${TITLE}</p>
    ${
      overall &&
      html`<p class="label">${icon(overall.severity)}${overall.severity_label}</p>
        <h1>${overall.headline}</h1>
        ${paragraphs(overall.paragraphs)}`
    }
    <dl>
      ${plate !== null && fact(plateRow(plate).label, html`<bdi>${plateRow(plate).value}</bdi>`)}
      ${
        inspectedAt !== null &&
        fact(inspectedRow(inspectedAt).label, html`<time datetime="${inspectedAt}">${inspectedRow(inspectedAt).value}</time>`)
      }
    </dl>
  </header>`;
}

const fact = (label: string, value: Html): Html =>
  html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`;

const tires = (all: readonly ContentTire[]): Html =>
  html`<section aria-labelledby="tires">
    <h2 id="tires">${TIRES_TITLE}</h2>
    ${car(all)}
    <ul class="each">
      ${all.map(tire)}
    </ul>
  </section>`;

const tire = ({ position_label, severity, decision_label, narrative }: ContentTire): Html =>
  html`<li>
    <p class="lead ${severity}">${icon(severity)}<b>${position_label}</b> <span>${decision_label}</span></p>
    ${narrative !== null && html`<p>${narrative}</p>`}
  </li>`;

function section(one: ContentSection, all: readonly ContentTire[]): Html {
  const heading = `section-${one.order}`;
  return html`<section aria-labelledby="${heading}">
    <div class="head">
      <h2 id="${heading}">${one.title}</h2>
      ${badge(one.severity, one.badge_label)}
    </div>
    ${graphic(one)} ${one.section_id === 'wear_pattern' && wearPatterns(all)} ${paragraphs(one.paragraphs)}
  </section>`;
}

const wearPatterns = (all: readonly ContentTire[]): Html =>
  html`<ul class="patterns">
    ${all.map(
      ({ position_label, wear_pattern: wear }) =>
        wear && html`<li>${svg(wearDrawing(wear), 'wear')}<b>${position_label}</b><span>${wear.label}</span></li>`,
    )}
  </ul>`;

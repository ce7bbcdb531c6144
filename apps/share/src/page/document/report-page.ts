import type { Content, ContentSection, ContentTire } from '@tire/contracts/api';
import { FIRST_TIME_ZONE } from '../../domain/partner';
import { car } from '../drawings/car';
import { svg } from '../drawings/drawing';
import { depthNotes, footnote, inOrder, inspectedRow, plateRow, remainingText } from '../facts/facts';
import { graphic } from '../drawings/graphics';
import { html, type Html } from './html';
import { page, type Page } from './layout';
import { type PageImages, imagesOf } from './images';
import { type OtherLanguage, partnerBand, type ShownPartner } from './partner-band';
import { badge, icon, signOfCar, signOfDecision, signOfSection } from '../facts/severity';
import { unbroken } from '../words/unbroken';
import { wearDrawing, wearEnds } from '../drawings/wear-illustration';
import { type Words, wordsOf } from '../words/words';

export interface ReportPageInput {
  readonly content: Content;
  /** A value of it is the known result of a photograph of the sandbox. */
  readonly hasSamples?: boolean;
  readonly images: PageImages;
  readonly imageOrigin: string;
  /** The address of the preview image for messengers. */
  readonly cardUrl: string;
  readonly pdfUrl: string;
  readonly partner?: ShownPartner | null;
  /** In which the time of the inspection is shown. */
  readonly timeZone?: string;
  readonly others?: readonly OtherLanguage[];
}

export function reportPage({
  content,
  hasSamples = false,
  images,
  imageOrigin,
  cardUrl,
  pdfUrl,
  partner = null,
  timeZone = FIRST_TIME_ZONE,
  others = [],
}: ReportPageInput): Page {
  const words = wordsOf(content);
  const shown = imagesOf(words, content, images);
  const body = html`${hasSamples && html`<p class="samples">${words.samples}</p>`} ${partnerBand(words, partner, others)}
    ${verdict(words, content, timeZone)} ${tires(words, content)} ${inOrder(content).map((one) => section(words, one, content))}
    ${shown.section}
    <footer>
      <p><a href="${pdfUrl}" type="application/pdf">${words.pdfLink}</a></p>
      <p>${footnote(words, content)}</p>
    </footer>`;
  // The preview of a link in a chat contains nothing about the car.
  const preview = { description: words.preview, imageUrl: cardUrl, locale: words.previewLocale };
  return page({ status: 200, lang: words.locale, title: words.title, body, imageOrigin, extraStyle: shown.style, preview });
}

const paragraphs = (texts: readonly string[]): Html[] => texts.map((text) => html`<p>${unbroken(text)}</p>`);

function verdict(words: Words, content: Content, timeZone: string): Html {
  const { overall, report_context } = content;
  const { plate_number: plate, inspected_at: inspectedAt } = report_context;
  const sign = signOfCar(content);
  return html`<header class="verdict ${sign}">
    <p class="kind">${words.title}</p>
    ${
      overall &&
      html`<p class="label">${icon(sign)}${overall.severity_label}</p>
        <h1>${overall.headline}</h1>
        ${paragraphs(overall.paragraphs)}`
    }
    <dl>
      ${plate !== null && fact(plateRow(words, plate).label, html`<bdi>${plateRow(words, plate).value}</bdi>`)}
      ${
        inspectedAt !== null &&
        fact(words.inspected, html`<time datetime="${inspectedAt}">${inspectedRow(words, inspectedAt, timeZone).value}</time>`)
      }
    </dl>
  </header>`;
}

const fact = (label: string, value: Html): Html =>
  html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`;

function tires(words: Words, content: Content): Html {
  return html`<section aria-labelledby="tires">
    <h2 id="tires">${words.tiresTitle}</h2>
    ${car(words, content.tires)}
    <ul class="each">
      ${content.tires.map((one) => tire(words, one))}
    </ul>
    ${depthNotes(words, content).map((note) => html`<p class="fine">${note}</p>`)}
  </section>`;
}

function tire(words: Words, one: ContentTire): Html {
  const { position_label, decision_label, narrative } = one;
  const sign = signOfDecision(one);
  const remaining = remainingText(words, one);
  return html`<li>
    <p class="lead ${sign}">${icon(sign)}<b>${position_label}</b> <span>${decision_label}</span></p>
    ${narrative !== null && html`<p>${unbroken(narrative)}</p>`} ${remaining !== null && html`<p class="more">${remaining}</p>`}
  </li>`;
}

function section(words: Words, one: ContentSection, content: Content): Html {
  const heading = `section-${one.order}`;
  return html`<section aria-labelledby="${heading}">
    <div class="head">
      <h2 id="${heading}">${one.title}</h2>
      ${badge(signOfSection(one, content.tires), one.badge_label)}
    </div>
    ${graphic(words, one, content)} ${one.section_id === 'wear_pattern' && wearPatterns(words, content)} ${paragraphs(one.paragraphs)}
  </section>`;
}

const wearPatterns = (words: Words, content: Content): Html =>
  html`<ul class="patterns">
    ${content.tires.map((tire) => {
      const { position_label, wear_pattern: wear } = tire;
      if (wear === null) return null;
      const [first, last] = wearEnds(words, tire, content);
      return html`<li>
        ${svg(wearDrawing(tire.position, wear), 'wear')}
        <small class="ends" aria-hidden="true"><span>${first}</span><span>${last}</span></small>
        <b>${position_label}</b><span>${wear.label}</span>
      </li>`;
    })}
  </ul>`;

import type { Content, ContentSection, ContentTire } from '@tire/contracts';
import { maskPlate } from '../domain/plate';
import { car } from './car';
import { graphic } from './graphics';
import { html, type Html } from './html';
import { page, type Page } from './layout';
import { photographs, turnStyles } from './photographs';
import { badge, icon } from './severity';
import { wearIllustration } from './wear-illustration';

export interface ReportPageInput {
  readonly content: Content;
  /** Short-lived addresses by asset id; one that is missing is left out. */
  readonly photographUrls: ReadonlyMap<string, string>;
  readonly photographOrigin: string;
  /** Of the picture that a messenger shows. */
  readonly cardUrl: string;
}

const TITLE = '타이어 점검 리포트';
/** Whoever sees the link in a chat learns nothing of the car. */
const PREVIEW = '타이어 홈 깊이와 상태를 확인해 보세요.';

// Seoul keeps no summer time; the locale of the page is ko-KR.
const DATE = new Intl.DateTimeFormat('ko-KR', { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'Asia/Seoul' });

export function reportPage({ content, photographUrls, photographOrigin, cardUrl }: ReportPageInput): Page {
  const sections = [...content.sections].sort((a, b) => a.order - b.order);
  const body = html`${verdict(content)} ${tires(content.tires)} ${sections.map((one) => section(one, content.tires))}
    ${photographs(content, photographUrls)}
    <footer><p>사진과 입력값으로 추정한 결과이며, 실제 상태와 다를 수 있습니다.</p></footer>`;
  const preview = { description: PREVIEW, imageUrl: cardUrl };
  return page({ status: 200, title: TITLE, body, photographOrigin, extraStyle: turnStyles(content), preview });
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
      ${
        plate !== null &&
        html`<div>
          <dt>차량 번호</dt>
          <dd><bdi>${maskPlate(plate)}</bdi></dd>
        </div>`
      }
      ${
        inspectedAt !== null &&
        html`<div>
          <dt>점검 일시</dt>
          <dd><time datetime="${inspectedAt}">${DATE.format(new Date(inspectedAt))}</time></dd>
        </div>`
      }
    </dl>
  </header>`;
}

const tires = (all: readonly ContentTire[]): Html =>
  html`<section aria-labelledby="tires">
    <h2 id="tires">타이어별 최소 홈 깊이</h2>
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
        wear && html`<li>${wearIllustration(wear)}<b>${position_label}</b><span>${wear.label}</span></li>`,
    )}
  </ul>`;

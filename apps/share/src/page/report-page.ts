import type { Content, ContentSection, ContentTire } from '@tire/contracts';
import { maskPlate } from '../domain/plate';
import { html, type Html } from './html';
import { page, type Page } from './layout';
import { photographs, turnStyles } from './photographs';

type Severity = ContentTire['severity'];

export interface ReportPageInput {
  readonly content: Content;
  /** Short-lived addresses by asset id; one that is missing is left out. */
  readonly photographUrls: ReadonlyMap<string, string>;
  readonly photographOrigin: string;
}

// Seoul keeps no summer time; the locale of the page is ko-KR.
const DATE = new Intl.DateTimeFormat('ko-KR', { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'Asia/Seoul' });

export function reportPage({ content, photographUrls, photographOrigin }: ReportPageInput): Page {
  const sections = [...content.sections].sort((a, b) => a.order - b.order);
  const body = html`${header(content)} ${tires(content.tires)} ${sections.map(section)} ${photographs(content, photographUrls)}`;
  return page(200, '타이어 점검 리포트', body, photographOrigin, turnStyles(content));
}

const badge = (severity: Severity, label: string | null): Html | null =>
  label === null ? null : html`<span class="badge ${severity}">${label}</span>`;
const paragraphs = (texts: readonly string[]): Html[] => texts.map((text) => html`<p>${text}</p>`);

function header({ overall, report_context }: Content): Html {
  const { plate_number: plate, inspected_at: inspectedAt } = report_context;
  return html`<header class="card">
    <p class="muted">타이어 점검 리포트</p>
    ${
      overall &&
      html`<div class="head">
          <h1>${overall.headline}</h1>
          ${badge(overall.severity, overall.severity_label)}
        </div>
        ${paragraphs(overall.paragraphs)}`
    }
    <dl>
      ${
        plate !== null &&
        html`<dt>차량 번호</dt>
          <dd><bdi>${maskPlate(plate)}</bdi></dd>`
      }
      ${
        inspectedAt !== null &&
        html`<dt>점검 일시</dt>
          <dd><time datetime="${inspectedAt}">${DATE.format(new Date(inspectedAt))}</time></dd>`
      }
    </dl>
  </header>`;
}

function tires(all: readonly ContentTire[]): Html {
  return html`<section>
    <h2>타이어별 상태</h2>
    <ul class="tires">
      ${all.map(tire)}
    </ul>
  </section>`;
}

function tire(one: ContentTire): Html {
  const depth = one.minimum_remaining_depth_mm;
  return html`<li>
    <div class="head">
      <h3>${one.position_label}</h3>
      ${badge(one.severity, one.severity_label)}
    </div>
    <p class="depth">${depth === null ? '–' : `${depth.toFixed(1)}mm`}</p>
    <p class="muted">최소 홈 깊이 · ${one.decision_label}</p>
    ${one.narrative !== null && html`<p>${one.narrative}</p>`}
    ${one.wear_pattern !== null && html`<p class="muted">${one.wear_pattern.label}: ${one.wear_pattern.description}</p>`}
  </li>`;
}

function section(one: ContentSection): Html {
  return html`<section>
    <div class="head">
      <h2>${one.title}</h2>
      ${badge(one.severity, one.badge_label)}
    </div>
    ${paragraphs(one.paragraphs)} ${one.section_id === 'braking_distance' && bars(one.metrics)}
  </section>`;
}

type BrakingMetrics = Extract<ContentSection, { section_id: 'braking_distance' }>['metrics'];

/** Both bars on one scale. */
function bars({ new_tire_distance_m: fresh, current_tire_distance_m: current }: BrakingMetrics): Html | null {
  if (fresh === null || current === null) return null;
  const scale = Math.max(fresh, current);
  const bar = (label: string, distanceM: number, name: string) =>
    html`<p class="muted">${label} 약 ${distanceM.toFixed(1)}m</p>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="${name}" width="${((distanceM / scale) * 100).toFixed(1)}" height="4" rx="1" />
      </svg>`;
  return html`<div class="bars">${bar('새 타이어', fresh, 'fresh')}${bar('현재 타이어', current, 'now')}</div>`;
}

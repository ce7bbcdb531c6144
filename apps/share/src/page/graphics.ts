import type { ContentSection } from '@tire/contracts';
import { depthText } from './car';
import { html, type Html } from './html';

type SectionOf<Id extends ContentSection['section_id']> = Extract<ContentSection, { section_id: Id }>;
type MetricsOf<Id extends ContentSection['section_id']> = SectionOf<Id>['metrics'];

const NEW_DEPTH_MM = 8;
const share = (value: number, whole: number): string => ((100 * Math.min(Math.max(value, 0), whole)) / whole).toFixed(1);

/** The lowest depth of the car on one scale with both limits, of which the bar has the colours. */
function depthScale({ minimum_remaining_depth_mm: depthMm, legal_limit_mm, inspection_threshold_mm }: MetricsOf<'tread_wear'>): Html {
  const limit = share(legal_limit_mm, NEW_DEPTH_MM);
  const threshold = share(inspection_threshold_mm, NEW_DEPTH_MM);
  const rest = (100 - Number(threshold)).toFixed(1);
  const between = (Number(threshold) - Number(limit)).toFixed(1);
  return html`<figure class="scale">
    <svg viewBox="0 0 100 9" preserveAspectRatio="none" aria-hidden="true">
      <rect class="critical" width="${limit}" y="2" height="5" />
      <rect class="caution" x="${limit}" width="${between}" y="2" height="5" />
      <rect class="good" x="${threshold}" width="${rest}" y="2" height="5" />
      ${depthMm !== null && html`<rect class="mark" x="${(Number(share(depthMm, NEW_DEPTH_MM)) - 0.6).toFixed(1)}" width="1.2" height="9" />`}
    </svg>
    <figcaption>
      <ul class="legend">
        <li><span>법정 한계</span> <b>${depthText(legal_limit_mm)}</b></li>
        <li><span>권장 기준</span> <b>${depthText(inspection_threshold_mm)}</b></li>
        <li><span>가장 얕은 홈</span> <b>${depthMm === null ? '확인 불가' : depthText(depthMm)}</b></li>
      </ul>
    </figcaption>
  </figure>`;
}

/** Both bars on one scale; what is behind the place where the new tire stands already is marked on the second. */
function brakingBars({ metrics, severity }: SectionOf<'braking_distance'>): Html | null {
  const {
    new_tire_distance_m: fresh,
    current_tire_distance_m: current,
    distance_gap_m: gapM,
    speed_at_new_tire_stop_kmh: speedKmh,
  } = metrics;
  if (fresh === null || current === null) return null;
  const longest = Math.max(fresh, current);
  const gap = Math.max(0, current - fresh);
  const bar = (label: string, distanceM: number, drawing: Html) =>
    html`<li>
      <p><span>${label}</span> <b>약 ${distanceM.toFixed(1)}m</b></p>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">${drawing}</svg>
    </li>`;
  const reach = (distanceM: number) => html`<rect class="reach" width="${share(distanceM, longest)}" height="6" rx="1" />`;
  const beyond = html`<rect class="gap ${severity}" x="${share(fresh, longest)}" width="${share(gap, longest)}" height="6" />`;
  return html`<ul class="bars">
      ${bar('새 타이어', fresh, reach(fresh))} ${bar('현재 타이어', current, html`${reach(Math.min(fresh, current))}${beyond}`)}
    </ul>
    ${
      gapM !== null &&
      gapM > 0 &&
      speedKmh !== null &&
      html`<p class="note">새 타이어가 멈춘 지점을 현재 타이어는 시속 약 ${Math.round(speedKmh)}km로 지나갑니다.</p>`
    }`;
}

function axles({ front_axle_delta_mm: front, rear_axle_delta_mm: rear }: MetricsOf<'position_variance'>): Html {
  const axle = (label: string, deltaMm: number | null) =>
    html`<div>
      <dt>${label}</dt>
      <dd>${deltaMm === null ? '확인 불가' : depthText(deltaMm)}</dd>
    </div>`;
  return html`<dl class="pair">${axle('앞바퀴 차이', front)}${axle('뒷바퀴 차이', rear)}</dl>`;
}

function sizes({ front_spec: front, rear_spec: rear }: MetricsOf<'sidewall_spec'>): Html {
  const axle = (label: string, spec: string | null) =>
    html`<div>
      <dt>${label}</dt>
      <dd>${spec ?? '확인 불가'}</dd>
    </div>`;
  return html`<dl class="pair">${axle('앞', front)}${axle('뒤', rear)}</dl>`;
}

/** What a section shows beside its words, drawn from its metrics alone. */
export function graphic(section: ContentSection): Html | null {
  switch (section.section_id) {
    case 'tread_wear':
      return depthScale(section.metrics);
    case 'braking_distance':
      return brakingBars(section);
    case 'position_variance':
      return axles(section.metrics);
    case 'sidewall_spec':
      return sizes(section.metrics);
    case 'wear_pattern':
      return null;
  }
}

import type { Content, ContentSection, ContentTire } from '@tire/contracts/api';
import { SIGNS, type SignName } from '@tire/kernel';
import { html, type Html } from '../document/html';

export type Severity = ContentTire['severity'];

/** The meaning of an icon. `neutral` is a fact that is neither good nor bad. */
export type Sign = Severity | 'neutral';

type WearCode = NonNullable<ContentTire['wear_pattern']>['code'];

/** Patterns without a finding. Undefined in reports without images. */
const EVEN: readonly (WearCode | undefined)[] = [undefined, 'even_wear', 'mixed_or_uncertain'];

export function icon(sign: SignName): Html {
  const { outline, sign: inner, dash } = SIGNS[sign].icon;
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d="${outline}" ${dash && html`stroke-dasharray="${dash.join(' ')}"`} />
    <path d="${inner}" />
  </svg>`;
}

export const badge = (sign: SignName, label: string | null): Html | null =>
  label === null ? null : html`<span class="badge ${sign}">${icon(sign)}${label}</span>`;

/** The error of a depth that older engines read from an image is not known. Tires of manual reports have no wear pattern. */
export const hasNoRange = ({
  minimum_remaining_depth_mm: depthMm,
  depth_interval_mm: interval,
  wear_pattern: wear,
}: ContentTire): boolean => depthMm !== null && !interval && wear !== null;

/** A part of the tread was not seen: its lowest groove may be there. */
export const isPartUnseen = ({ unseen_parts: parts = [] }: ContentTire): boolean => parts.length > 0;

/** A green tick means that everything is known and good. In documents of older rulesets, `good` needs less. */
export function signOfTire(tire: ContentTire): Sign {
  const { severity, minimum_remaining_depth_mm: depthMm, certainty, bald } = tire;
  if (severity !== 'good') return severity;
  if (depthMm === null || (certainty ?? 'sure') !== 'sure' || bald || isPartUnseen(tire)) return 'unknown';
  return hasNoRange(tire) ? 'neutral' : 'good';
}

/** The sign of the decision about a tire. A tire with enough depth that wears unevenly has to be checked. */
export function signOfDecision(tire: ContentTire): Sign {
  const sign = signOfTire(tire);
  return tire.severity === 'good' && sign !== 'unknown' && !EVEN.includes(tire.wear_pattern?.code) ? 'caution' : sign;
}

function ifSure(tires: readonly ContentTire[]): Sign {
  const signs = tires.map(signOfTire);
  return signs.includes('unknown') ? 'unknown' : tires.some(hasNoRange) ? 'neutral' : 'good';
}

/** The sign of the whole car. */
export function signOfCar({ overall, tires }: Content): Sign {
  const severity = overall?.severity ?? 'unknown';
  return severity === 'good' ? ifSure(tires) : severity;
}

type Braking = Extract<ContentSection, { section_id: 'braking_distance' }>['metrics'];

/** Whether the stop is short also at the far end of its range. A document with a range but without the band of its end does not show that. */
const isSurelyShort = ({ band, farthest_band: farthest, current_tire_distance_range_m: range }: Braking): boolean =>
  band === 'short' && (farthest === undefined ? !range : farthest === 'short');

export function signOfSection(section: ContentSection, tires: readonly ContentTire[]): Sign {
  if (section.severity !== 'good') return section.severity;
  switch (section.section_id) {
    case 'tread_wear':
      return ifSure(tires);
    case 'braking_distance': {
      const sign = ifSure(tires);
      return sign === 'good' && !isSurelyShort(section.metrics) ? 'neutral' : sign;
    }
    case 'wear_pattern':
      if (section.metrics.codes.includes('mixed_or_uncertain')) return 'unknown';
      return tires.some(hasNoRange) ? 'neutral' : 'good';
    case 'position_variance':
      // A tire that has lost its pattern beside its grooves is not good, even if these are as deep as those of the other side.
      if (tires.some(({ bald }) => bald)) return 'neutral';
      if (section.metrics.front_axle_delta_mm === null || section.metrics.rear_axle_delta_mm === null) return 'unknown';
      return tires.some(hasNoRange) ? 'neutral' : 'good';
    case 'sidewall_spec': {
      const { front_rear_match: match, mixed_axles: mixed = [] } = section.metrics;
      if (mixed.length > 0) return 'caution';
      return match === null ? 'unknown' : match ? 'good' : 'neutral';
    }
  }
}

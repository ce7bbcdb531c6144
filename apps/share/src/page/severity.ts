import type { Content, ContentSection, ContentTire } from '@tire/contracts/api';
import { html, type Html } from './html';

export type Severity = ContentTire['severity'];

/** What an icon says. `neutral` is a fact that is neither good nor bad. */
export type Sign = Severity | 'neutral';

type WearCode = NonNullable<ContentTire['wear_pattern']>['code'];

/** Patterns without a finding. Undefined in reports without photographs. */
const EVEN: readonly (WearCode | undefined)[] = [undefined, 'even_wear', 'mixed_or_uncertain'];

const CIRCLE = 'M1 8a7 7 0 1 1 14 0a7 7 0 1 1-14 0Z';

/** Each sign has its own shape, so that nothing depends on colour alone. In a square of 16 units. */
export const ICONS: Record<Sign, { readonly outline: string; readonly sign: string; readonly dash?: readonly [number, number] }> = {
  good: { outline: CIRCLE, sign: 'm4.8 8.3 2.2 2.2 4.3-4.7' },
  caution: { outline: 'M8 1.2 15.2 14.4H.8Z', sign: 'M8 6v4M8 12v.4' },
  critical: { outline: 'M5 1h6l4 4v6l-4 4H5l-4-4V5Z', sign: 'm5.6 5.6 4.8 4.8m0-4.8-4.8 4.8' },
  unknown: { outline: CIRCLE, sign: 'M6.2 6.4a1.9 1.9 0 1 1 2.6 1.8c-.5.2-.8.5-.8 1M8 11.4v.4', dash: [2.6, 1.8] },
  neutral: { outline: CIRCLE, sign: 'M8 7.2v4.3M8 4.5v.4' },
};

export function icon(sign: Sign): Html {
  const { outline, sign: inner, dash } = ICONS[sign];
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d="${outline}" ${dash && html`stroke-dasharray="${dash.join(' ')}"`} />
    <path d="${inner}" />
  </svg>`;
}

export const badge = (sign: Sign, label: string | null): Html | null =>
  label === null ? null : html`<span class="badge ${sign}">${icon(sign)}${label}</span>`;

/** A green tick means that everything is known and good. Documents of older rulesets say `good` of less. */
export function signOfTire({ severity, minimum_remaining_depth_mm: depthMm, certainty, bald }: ContentTire): Sign {
  if (severity !== 'good') return severity;
  return depthMm === null || (certainty ?? 'sure') !== 'sure' || bald ? 'unknown' : 'good';
}

/** Of the decision about a tire. A tire with enough depth that wears unevenly has to be checked. */
export function signOfDecision(tire: ContentTire): Sign {
  const sign = signOfTire(tire);
  return sign === 'good' && !EVEN.includes(tire.wear_pattern?.code) ? 'caution' : sign;
}

const ifSure = (tires: readonly ContentTire[]): Sign => (tires.some((tire) => signOfTire(tire) === 'unknown') ? 'unknown' : 'good');

/** Of the whole car. */
export function signOfCar({ overall, tires }: Content): Sign {
  const severity = overall?.severity ?? 'unknown';
  return severity === 'good' ? ifSure(tires) : severity;
}

export function signOfSection(section: ContentSection, tires: readonly ContentTire[]): Sign {
  if (section.severity !== 'good') return section.severity;
  switch (section.section_id) {
    case 'tread_wear':
      return ifSure(tires);
    case 'braking_distance': {
      const sign = ifSure(tires);
      return sign === 'good' && section.metrics.band !== 'short' ? 'neutral' : sign;
    }
    case 'wear_pattern':
      return section.metrics.codes.includes('mixed_or_uncertain') ? 'unknown' : 'good';
    case 'position_variance':
      // Grooves as deep as those of the other side say nothing good of a tire that has lost its pattern beside them.
      if (tires.some(({ bald }) => bald)) return 'neutral';
      return section.metrics.front_axle_delta_mm === null || section.metrics.rear_axle_delta_mm === null ? 'unknown' : 'good';
    case 'sidewall_spec': {
      const { front_rear_match: match, mixed_axles: mixed = [] } = section.metrics;
      if (mixed.length > 0) return 'caution';
      return match === null ? 'unknown' : match ? 'good' : 'neutral';
    }
  }
}

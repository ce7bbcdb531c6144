import type { ContentSection } from '@tire/contracts/api';
import { useTexts } from '../../i18n/language';
import { numberText } from './metrics';

type BrakingSection = Extract<ContentSection, { section_id: 'braking_distance' }>;

const NAMES = ['new_tire_distance_m', 'current_tire_distance_m'] as const;

export const isDrawn = (section: ContentSection): section is BrakingSection =>
  section.section_id === 'braking_distance' && NAMES.every((name) => section.metrics[name] !== null);
/** Whether the bars show the metric, so that the list omits it. */
export const isInBars = (name: string): boolean => NAMES.some((one) => one === name);

/** Both distances on one scale. The part beyond the distance of a new tire is marked. A distance with a range is read as that range. */
export function BrakingBars({ section: { metrics, severity } }: { section: BrakingSection }) {
  const { content } = useTexts();
  const distancesM = NAMES.map((name) => metrics[name] ?? 0);
  const [newM = 0] = distancesM;
  const range = metrics.current_tire_distance_range_m;
  const texts = [
    numberText(NAMES[0], newM),
    range ? range.map((end) => numberText(NAMES[1], end)).join(' – ') : numberText(NAMES[1], distancesM[1]!),
  ];
  const percent = (distanceM: number) => (100 * distanceM) / Math.max(...distancesM, 1);
  return (
    <ul className="braking">
      {NAMES.map((name, index) => {
        const distanceM = distancesM[index]!;
        const reach = percent(Math.min(distanceM, newM));
        return (
          <li key={name}>
            <p>
              <span>{content.metrics[name]}</span> <b>{texts[index]}</b>
            </p>
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect className="braking-reach" width={reach} height={6} />
              {distanceM > newM && <rect className={`braking-gap ${severity}`} x={reach} width={percent(distanceM) - reach} height={6} />}
            </svg>
          </li>
        );
      })}
    </ul>
  );
}

import type { ContentSection } from '@tire/contracts/api';
import { formatDepth } from '@tire/kernel/depths';
import type { Texts } from '../../i18n/en';
import { useTexts } from '../../i18n/language';
import { isLeftOut } from './left-out';

type Name = keyof Texts['content']['metrics'];

interface Row {
  readonly name: Name;
  readonly label: string;
  readonly value: string;
}

type Pattern = keyof Texts['content']['patterns'];

const UNITS: readonly (readonly [ending: string, unit: string, digits: number])[] = [
  ['_mm', 'mm', 1],
  ['_m', 'm', 1],
  ['_kmh', 'km/h', 0],
  ['_percent', '%', 0],
  ['_car_lengths', '', 1],
];

/** The ending of the name determines the unit. */
export function numberText(name: string, value: number): string {
  const [, unit, digits] = UNITS.find(([ending]) => name.endsWith(ending)) ?? ['', '', 0];
  return `${formatDepth(value, digits)} ${unit}`.trim();
}

/** The metrics of a section in the language of the console. The page shows the texts for the customer above them. */
export function useMetrics(): (section: ContentSection) => Row[] {
  const { content } = useTexts();
  const text = (name: string, value: unknown): string | null => {
    if (typeof value === 'number') return numberText(name, value);
    if (typeof value === 'boolean') return value ? content.yes : content.no;
    if (name.endsWith('_range_m') && Array.isArray(value)) return value.map((end: number) => numberText(name, end)).join(' – ');
    if (name === 'mixed_axles' && Array.isArray(value))
      return value.map((axle: 'front' | 'rear') => content.metrics[`${axle}_spec`]).join(', ') || null;
    if (Array.isArray(value)) return value.map((code: Pattern) => content.patterns[code]).join(', ') || null;
    if (name.endsWith('band') && typeof value === 'string' && value in content.bands)
      return content.bands[value as keyof typeof content.bands];
    return typeof value === 'string' ? value : null;
  };
  return (section) =>
    Object.entries(section.metrics).flatMap(([name, value]) => {
      const shown = name in content.metrics && !isLeftOut(section, name) ? text(name, value) : null;
      return shown === null ? [] : [{ name: name as Name, label: content.metrics[name as Name], value: shown }];
    });
}

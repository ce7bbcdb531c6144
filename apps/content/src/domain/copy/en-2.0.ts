import { oneDecimal } from '../verdicts/numbers';
import { copy2 } from './copy-2.0';
import type { Language } from './copy-2.0-language';
import { ENGLISH_ENTERED } from './en-2.0-entered';
import { ENGLISH_SECTION_SENTENCES } from './en-2.0-section-sentences';
import { ENGLISH_SENTENCES } from './en-2.0-sentences';

const joined = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
const range = (values: readonly number[]): string => [...new Set(values.map(oneDecimal))].join('–');

export const ENGLISH: Language = {
  locale: 'en-US',
  sentences: { ...ENGLISH_SENTENCES, ...ENGLISH_SECTION_SENTENCES },
  entered: ENGLISH_ENTERED,
  tires(positions) {
    const isPlural = positions.length > 1;
    const named = `${joined(positions)} ${isPlural ? 'tires' : 'tire'}`.toLowerCase();
    const all = positions.length === 4;
    return {
      names: all ? 'all four tires' : `the ${named}`,
      topic: all ? 'All four tires' : `The ${named}`,
      isPlural,
      count: positions.length,
    };
  },
  list: joined,
  mm: (depthMm) => `${oneDecimal(depthMm)} mm`,
  aboutMm: (depthMm) => `about ${oneDecimal(depthMm)} mm`,
  about: (depthMm, interval) => `about ${oneDecimal(depthMm)} mm (${range(interval)} mm)`,
  metres: (...values) => `${range(values)} m`,
  cars: (...values) => `${range(values)} car lengths`,
  kmPerHour: (speedKmh) => `${speedKmh} km/h`,
  percent: (value) => `${value}%`,
};

/** Issued: its output must not change. */
export const COPY_EN_2_0 = copy2(ENGLISH);

import { oneDecimal } from '../verdicts/numbers';
import { copy2 } from './copy-2.0';
import type { Language } from './copy-2.0-language';
import { KOREAN_ENTERED } from './ko-2.0-entered';
import { KOREAN_SECTION_SENTENCES } from './ko-2.0-section-sentences';
import { KOREAN_SENTENCES } from './ko-2.0-sentences';
import { withParticle } from './particles';

const joined = (names: readonly string[]): string =>
  names.length === 2 ? `${withParticle(names[0]!, '과/와')} ${names[1]}` : names.join(', ');
const range = (values: readonly number[]): string => [...new Set(values.map(oneDecimal))].join('~');

export const KOREAN: Language = {
  locale: 'ko-KR',
  sentences: { ...KOREAN_SENTENCES, ...KOREAN_SECTION_SENTENCES },
  entered: KOREAN_ENTERED,
  tires(positions) {
    const names = `${joined(positions)} 타이어`;
    const all = positions.length === 4;
    return {
      names: all ? '네 타이어' : names,
      topic: all ? '네 타이어 모두' : withParticle(names, '은/는'),
      isPlural: positions.length > 1,
      count: positions.length,
    };
  },
  list: joined,
  mm: (depthMm) => `${oneDecimal(depthMm)}mm`,
  aboutMm: (depthMm) => `약 ${oneDecimal(depthMm)}mm`,
  about: (depthMm, interval) => `약 ${oneDecimal(depthMm)}mm (${range(interval)}mm)`,
  metres: (...values) => `${range(values)}m`,
  cars: (...values) => `${range(values)}대`,
  kmPerHour: (speedKmh) => `시속 ${speedKmh}km`,
  percent: (value) => `${value}%`,
};

/** Issued: its output must not change. */
export const COPY_KO_2_0 = copy2(KOREAN);

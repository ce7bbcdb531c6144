import type { DepthInterval } from '../verdicts/tire-verdict';
import type { KOREAN_SECTION_SENTENCES } from './ko-2.0-section-sentences';
import type { KOREAN_SENTENCES } from './ko-2.0-sentences';

/** The names of tires as the languages need them in a sentence. */
export interface Tires {
  /** "앞 왼쪽 타이어", "the front left tire". */
  readonly names: string;
  /** The names as the subject of a sentence: "앞 왼쪽 타이어는", "네 타이어 모두", "The front left tire". */
  readonly topic: string;
  readonly isPlural: boolean;
  readonly count: number;
}

/** Every language has the same sentences. */
export type Sentences = typeof KOREAN_SENTENCES & typeof KOREAN_SECTION_SENTENCES;
export type Sentence = keyof Sentences;

export interface Language {
  readonly locale: string;
  readonly sentences: Sentences;
  /** Replaces sentences about a measurement in manual reports, because a person entered the values. */
  readonly entered: Partial<Sentences>;
  /** Names of positions ("앞 왼쪽") to the names of their tires. */
  tires(positions: readonly string[]): Tires;
  /** Joins places of a tread. */
  list(places: readonly string[]): string;
  mm(depthMm: number): string;
  /** "약 1.7mm". */
  aboutMm(depthMm: number): string;
  /** "약 1.7mm (1.2~2.2mm)". */
  about(depthMm: number, interval: DepthInterval): string;
  /** One value, or a range of two. */
  metres(...values: readonly number[]): string;
  cars(...values: readonly number[]): string;
  kmPerHour(speedKmh: number): string;
  percent(value: number): string;
}

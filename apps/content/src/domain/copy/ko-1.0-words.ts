import type { Missing, TireFinding } from '../verdicts/findings';
import { oneDecimal } from '../verdicts/numbers';
import { withParticle } from './particles';
import type { Sentences } from './ko-1.0-sentences';

type Named = Pick<TireFinding, 'position'>;

export const mm = (depthMm: number): string => `${oneDecimal(depthMm)}mm`;

/** "앞 왼쪽과 앞 오른쪽 타이어", "앞 왼쪽, 앞 오른쪽, 뒤 왼쪽 타이어". */
export function tireNames(say: Sentences, tires: readonly Named[]): string {
  const names = tires.map(({ position }) => say[`position.${position}`]());
  const [first, second] = names;
  const joined = names.length === 2 ? `${withParticle(first!, '과/와')} ${second}` : names.join(', ');
  return `${joined} 타이어`;
}

/** The topic of a sentence: "앞 왼쪽 타이어는", or "네 타이어 모두" for all four tires. */
export const topic = (say: Sentences, tires: readonly Named[]): string =>
  tires.length === 4 ? say['tires.all']() : withParticle(tireNames(say, tires), '은/는');

/** The kinds of missing values, in the order in which a reader can act on them. */
export const MISSING: readonly Missing[] = ['reading', 'image', 'entry'];

export const tiresMissing = (tires: readonly TireFinding[], missing: Missing): TireFinding[] =>
  tires.filter((tire) => tire.missing === missing);

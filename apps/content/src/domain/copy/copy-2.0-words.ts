import type { TireFinding } from '../verdicts/findings';
import type { Language, Tires } from './copy-2.0-language';

type Named = Pick<TireFinding, 'position'>;

export const tiresOf = (language: Language, tires: readonly Named[]): Tires =>
  language.tires(tires.map(({ position }) => language.sentences[`position.${position}`]()));

/** With its interval where it has one. */
export const depthText = (
  language: Language,
  { minimumDepthMm, intervalMm }: Pick<TireFinding, 'minimumDepthMm' | 'intervalMm'>,
): string | null => {
  if (minimumDepthMm === null) return null;
  return intervalMm ? language.about(minimumDepthMm, intervalMm) : language.mm(minimumDepthMm);
};

export const isKnown = ({ minimumDepthMm }: TireFinding): boolean => minimumDepthMm !== null;

/** A sentence about some tires, where there are any. */
export const about = (language: Language, tires: readonly Named[], sentence: (tires: Tires) => string): string[] =>
  tires.length > 0 ? [sentence(tiresOf(language, tires))] : [];

import type { Findings, TireFinding } from '../verdicts/findings';
import type { AgeAdvice } from '../verdicts/tire-verdict';
import type { Language, Tires } from './copy-2.0-language';

type Named = Pick<TireFinding, 'position'>;

export const tiresOf = (language: Language, tires: readonly Named[]): Tires =>
  language.tires(tires.map(({ position }) => language.sentences[`position.${position}`]()));

/** The depth as text, with its interval where it has one. */
export const depthText = (
  language: Language,
  { minimumDepthMm, intervalMm, isGauged }: Pick<Findings, 'minimumDepthMm' | 'intervalMm' | 'isGauged'>,
): string | null => {
  if (minimumDepthMm === null) return null;
  // Issued documents say "about" beside each interval of an engine, however narrow it is.
  const isExact = isGauged && intervalMm?.[0] === intervalMm?.[1];
  return intervalMm && !isExact ? language.about(minimumDepthMm, intervalMm) : language.mm(minimumDepthMm);
};

/** A depth from an image has an error. Engines before 3.0 did not report it. */
export const hasNoRange = ({ minimumDepthMm, intervalMm, wear }: TireFinding): boolean =>
  minimumDepthMm !== null && intervalMm === null && wear !== null;

/** A deep groove whose interval begins just below the inspection threshold, by the share that the ruleset allows. */
export const hasLowEnd = ({ state, intervalMm }: TireFinding, { ruleset }: Findings): boolean =>
  (state === 'good' || state === 'old') && intervalMm !== null && intervalMm[0] < ruleset.depth.inspectionThresholdMm;

/** Whatever lies between them: every groove that was measured is surely at the legal limit or below it. */
export const isSurelyWorn = ({ state, minimumDepthMm, intervalMm }: TireFinding, { ruleset }: Findings): boolean => {
  if (state === 'critical') return true;
  const highMm = intervalMm?.[1] ?? minimumDepthMm;
  return state === 'bald' && highMm !== null && highMm <= ruleset.depth.legalLimitMm;
};

/** The whole tread has lost its pattern, and not only some places. */
export const isWholeBald = (tires: readonly Pick<TireFinding, 'bald'>[]): boolean =>
  tires.some(({ bald }) => bald !== null && (bald.wornSmooth || bald.places.includes('whole')));

/** The interval reaches from the legal limit beyond the inspection threshold: the tire may be near the limit, and it may be far from it. */
export const isMaybeNear = ({ state, intervalMm }: TireFinding, { ruleset }: Findings): boolean =>
  state === 'near_limit' && intervalMm !== null && intervalMm[1] > ruleset.depth.inspectionThresholdMm;

export const isNear =
  (findings: Findings) =>
  (tire: TireFinding): boolean =>
    tire.state === 'near_limit' && !isMaybeNear(tire, findings);

/** A lower groove may be where nothing was seen. Of a tire that is critical or unknown this tells nothing new. */
export const isPartlySeen = ({ unseen, severity, sharedWith, minimumDepthMm }: TireFinding): boolean =>
  unseen.length > 0 && severity !== 'critical' && !sharedWith && minimumDepthMm !== null;

/** A tire that is critical has to be replaced or checked now, whatever its age. */
export const ageAdviceOf = ({ severity, ageAdvice }: TireFinding): AgeAdvice | null => (severity === 'critical' ? null : ageAdvice);

export const isKnown = ({ minimumDepthMm }: TireFinding): boolean => minimumDepthMm !== null;

/** A sentence about some tires, where there are any. */
export const about = (language: Language, tires: readonly Named[], sentence: (tires: Tires) => string): string[] =>
  tires.length > 0 ? [sentence(tiresOf(language, tires))] : [];

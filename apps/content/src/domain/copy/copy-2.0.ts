import type { Copy, TireText } from './copy';
import type { Findings, TireFinding } from '../verdicts/findings';
import { isUneven, type WearPattern } from '../verdicts/wear-pattern';
import type { Language, Sentence, Tires } from './copy-2.0-language';
import { brakingText, positionVarianceText, treadWearText, wearPatternText } from './copy-2.0-sections';
import { sidewallText } from './copy-2.0-sidewall';
import { overallText } from './copy-2.0-overall';
import {
  ageAdviceOf,
  depthText,
  hasLowEnd,
  hasNoRange,
  isMaybeNear,
  isPartlySeen,
  isSurelyWorn,
  isWholeBald,
  tiresOf,
} from './copy-2.0-words';

/** The choice of sentences is the same in every language. Each language supplies their text. */
export const copy2 = (language: Language): Copy => {
  const say = language.sentences;
  const entered: Language = { ...language, sentences: { ...language.sentences, ...language.entered } };
  const of = ({ manual }: Findings): Language => (manual ? entered : language);
  return {
    version: '2.0',
    locale: language.locale,
    severityLabel: (severity) => say[`severity.${severity}`](),
    overall: (findings) => overallText(findings, of(findings)),
    tire: (tire, findings) => tireText(tire, findings, of(findings)),
    treadWear: (findings) => treadWearText(findings, of(findings)),
    brakingDistance: (findings) => brakingText(findings, of(findings)),
    wearPattern: (findings) => wearPatternText(findings, of(findings)),
    positionVariance: (findings) => positionVarianceText(findings, of(findings)),
    sidewallSpec: (findings) => sidewallText(findings, of(findings)),
  };
};

function tireText(tire: TireFinding, findings: Findings, language: Language): TireText {
  const say = language.sentences;
  return {
    positionLabel: say[`position.${tire.position}`](),
    decisionLabel: say[decision(tire, findings)](),
    narrative: narrative(tire, findings, language).join(' '),
    wear: tire.wear && { label: say[wearLabel(tire.wear)](), description: say[wearDescription(tire.wear, tire)]() },
  };
}

const DECISION_MISSING = { reading: 'decision.unread', image: 'decision.noImage', entry: 'decision.notEntered' } as const;

function decision(tire: TireFinding, findings: Findings) {
  const { state, severity, wear, missing } = tire;
  switch (state) {
    case 'critical':
      return 'decision.critical';
    case 'likely':
      return 'decision.likely';
    case 'bald':
    case 'worn_smooth':
      return isSurelyWorn(tire, findings) ? 'decision.critical' : 'decision.check';
    case 'near_limit':
    case 'near_threshold':
    case 'uncertain':
      return 'decision.gauge';
    case 'caution':
      return 'decision.caution';
    case 'part_unseen':
      return 'decision.partUnseen';
    case 'old':
      return 'decision.old';
    case 'good':
      return wear && isUneven(wear.code) ? 'decision.pattern' : 'decision.good';
    case 'shared':
      return severity === 'critical' ? 'decision.check' : 'decision.unread';
    case 'unknown':
      return DECISION_MISSING[missing ?? 'reading'];
  }
}

const TIRE_MISSING = { reading: 'tire.unread', image: 'tire.noImage', entry: 'tire.notEntered' } as const;

function narrative(tire: TireFinding, findings: Findings, language: Language): string[] {
  const advised = language.mm(findings.ruleset.depth.inspectionThresholdMm);
  return [
    ...ofTread(tire, findings, language),
    ...ofUnseen(tire, language),
    ...(hasLowEnd(tire, findings) ? [language.sentences['tire.lowEnd'](advised)] : []),
    ...(hasNoRange(tire) ? [language.sentences['tire.noRange']()] : []),
    ...ofAge(tire, language),
  ];
}

/** What was not seen, and why. A tire that is critical has to be checked or replaced, whatever else may be there. */
function ofUnseen(tire: TireFinding, { sentences: say }: Language): string[] {
  if (!isPartlySeen(tire)) return [];
  const is = (one: TireFinding['unseen'][number]['reason']) => tire.unseen.some(({ reason }) => reason === one);
  return [
    say[is('outside_image') ? (is('groove_unclear') ? 'tire.unseenBoth' : 'tire.unseenOutside') : 'tire.unseenUnclear'](),
    say['tire.unseenCheck'](),
  ];
}

function ofAge(tire: TireFinding, { sentences: say }: Language): string[] {
  const advice = ageAdviceOf(tire);
  return advice === null ? [] : [say[advice === 'replace' ? 'tire.old' : 'tire.aging']()];
}

function ofTread(tire: TireFinding, findings: Findings, language: Language): string[] {
  const { ruleset } = findings;
  const say = language.sentences;
  const name = tiresOf(language, [tire]);
  const depth = depthText(language, tire);
  const legal = language.mm(ruleset.depth.legalLimitMm);
  const advised = language.mm(ruleset.depth.inspectionThresholdMm);
  if (tire.state === 'shared') return sharedNarrative(tire, name, language);
  if (tire.state === 'worn_smooth') return [say['tire.wornSmooth'](name)];
  if (tire.state === 'bald') {
    // A tire that has to be replaced needs no further check.
    const isToBeReplaced = isSurelyWorn(tire, findings);
    // A zone over the whole width leaves no groove.
    if (isWholeBald([tire])) return [say[isToBeReplaced ? 'tire.baldWholeAndWorn' : 'tire.baldWhole'](name)];
    const places = placesOf(tire, language);
    const rest = depth ? [say['tire.restDepth'](depth)] : [];
    if (isToBeReplaced) return [say['tire.baldAndWorn'](name, places), ...rest, say['tire.restAtLimit'](legal)];
    return [say['tire.bald'](name, places), ...rest];
  }
  if (depth === null || tire.state === 'unknown') return [say[TIRE_MISSING[tire.missing ?? 'reading']](name)];
  switch (tire.state) {
    case 'critical': {
      const isAtLimit = tire.minimumDepthMm === ruleset.depth.legalLimitMm;
      return [say[isAtLimit ? 'tire.criticalAtLimit' : 'tire.critical'](name, depth, legal)];
    }
    case 'likely':
      return [say['tire.likely'](name, depth, legal)];
    case 'uncertain':
      return [say['tire.uncertain'](name, depth)];
    case 'near_limit':
      return [say[isMaybeNear(tire, findings) ? 'tire.maybeAtLimit' : 'tire.nearLimit'](name, depth, legal)];
    case 'caution':
      return [say['tire.caution'](name, depth, advised)];
    case 'near_threshold':
      return [say['tire.nearThreshold'](name, depth, advised)];
    case 'part_unseen':
      return [say['tire.partUnseen'](name, depth)];
    case 'old':
    case 'good':
      return [say['tire.good'](name, depth, advised)];
  }
}

/** The fault in the image, if there is one. Then: the tire is not known. Then: the action. */
function sharedNarrative(tire: TireFinding, name: Tires, language: Language): string[] {
  const say = language.sentences;
  const others = (tire.sharedWith?.slotIds ?? []).map((id) => ({ position: id.split('.')[2] as TireFinding['position'] }));
  const distinct = others.filter(({ position }, index) => others.findIndex((other) => other.position === position) === index);
  const depth = depthText(language, tire);
  return [
    ...(tire.bald
      ? [say[isWholeBald([tire]) ? 'tire.sharedBaldWhole' : 'tire.sharedBald']()]
      : depth
        ? [say['tire.sharedDepth'](depth)]
        : []),
    say[tire.sharedWith?.isSame ? 'tire.shared' : 'tire.similar'](name, tiresOf(language, distinct)),
    ...(tire.severity === 'critical' ? [say['tire.sharedCheck'](tiresOf(language, [tire, ...distinct]))] : []),
    say['tire.sharedRetake'](),
  ];
}

/** Both shoulders are one place. Inside and outside are named only where the side is known. */
function placesOf({ bald, sideKnown }: TireFinding, language: Language): string {
  const has = (place: NonNullable<TireFinding['bald']>['places'][number]) => bald?.places.includes(place) ?? false;
  const places: Sentence[] = [];
  if (has('center')) places.push('place.center');
  if (has('first_shoulder') && has('last_shoulder')) places.push('place.bothSides');
  else if (has('first_shoulder')) places.push(sideKnown ? 'place.outside' : 'place.oneSide');
  else if (has('last_shoulder')) places.push(sideKnown ? 'place.inside' : 'place.oneSide');
  return language.list(places.map((place) => (language.sentences[place] as () => string)()));
}

function wearLabel({ code, wornSide }: WearPattern) {
  return code === 'one_shoulder_wear_alignment_candidate'
    ? (`wearLabel.${wornSide ?? 'oneSide'}` as const)
    : (`wearLabel.${code}` as const);
}

const WEAR_REASONS = {
  like_new: 'wear.likeNew',
  no_depth: 'wear.noDepth',
  few_grooves: 'wear.fewGrooves',
  low_confidence: 'wear.lowConfidence',
  no_pattern: 'wear.noPattern',
  wide_interval: 'wear.wideInterval',
  bald: 'wear.bald',
  part_unseen: 'wear.partUnseen',
  shared: 'wear.shared',
} as const;

const WEAR_CODES = {
  even_wear: 'wear.even',
  center_wear_overinflation_candidate: 'wear.center',
  both_shoulder_wear_underinflation_candidate: 'wear.bothShoulders',
  mixed_or_uncertain: 'wear.noPattern',
} as const;

/** The narrative names the place without pattern, so the description names only the likely cause. */
const WEAR_OF_BALD = {
  ...WEAR_CODES,
  center_wear_overinflation_candidate: 'wear.baldCenter',
  both_shoulder_wear_underinflation_candidate: 'wear.baldBothShoulders',
  one_shoulder_wear_alignment_candidate: 'wear.baldOneShoulder',
} as const;

function wearDescription({ code, wornSide, reason }: WearPattern, tire: TireFinding) {
  const { bald } = tire;
  const [isBald, isSmooth] = [bald !== null, bald?.wornSmooth ?? false];
  if (reason === 'bald' && isSmooth) return 'wear.wornSmooth';
  if (reason === 'bald' && isWholeBald([tire])) return 'wear.baldWhole';
  if (reason !== null) return WEAR_REASONS[reason];
  if (isBald) return WEAR_OF_BALD[code];
  return code === 'one_shoulder_wear_alignment_candidate' ? (`wear.${wornSide ?? 'oneSide'}` as const) : WEAR_CODES[code];
}

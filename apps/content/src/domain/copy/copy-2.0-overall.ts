import type { Findings, TireFinding } from '../verdicts/findings';
import type { AxleFinding } from '../verdicts/axle-variance';
import { type SharedGroup, sharedGroups } from '../verdicts/shared-images';
import type { TireState } from '../verdicts/tire-verdict';
import type { Language } from './copy-2.0-language';
import {
  about,
  ageAdviceOf,
  depthText,
  hasNoRange,
  isMaybeNear,
  isNear,
  isPartlySeen,
  isSurelyWorn,
  isWholeBald,
  tiresOf,
} from './copy-2.0-words';

export const overallText = (findings: Findings, language: Language) => ({
  headline: language.sentences[headline(findings)](),
  paragraphs: paragraphs(findings, language),
});

/** The worst that is known decides, and what is certain before what is likely. */
function headline(findings: Findings) {
  const { severity, tires, minimumDepthMm } = findings;
  const has = (...states: readonly TireState[]) => tires.some(({ state }) => states.includes(state));
  switch (severity) {
    case 'critical':
      if (tires.some((tire) => isSurelyWorn(tire, findings))) return 'headline.critical';
      if (has('bald')) return isWholeBald(tires.filter(({ state }) => state === 'bald')) ? 'headline.baldWhole' : 'headline.bald';
      if (has('worn_smooth')) return 'headline.wornSmooth';
      return has('likely') ? 'headline.likely' : 'headline.check';
    case 'caution':
      if (has('near_limit')) return tires.some(isNear(findings)) ? 'headline.nearLimit' : 'headline.maybeAtLimit';
      if (has('caution')) return 'headline.caution';
      if (has('near_threshold')) return 'headline.nearThreshold';
      if (has('uncertain')) return 'headline.uncertain';
      if (has('part_unseen')) return 'headline.partUnseen';
      return has('old') ? 'headline.old' : 'headline.inspect';
    case 'unknown':
      return minimumDepthMm === null ? 'headline.unknown' : 'headline.partlyUnknown';
    case 'good':
      return 'headline.good';
  }
}

const OVERALL_MISSING = { reading: 'overall.unread', image: 'overall.noImage', entry: 'overall.notEntered' } as const;

function paragraphs(findings: Findings, language: Language): string[] {
  const { tires, ruleset, brakingSeverity } = findings;
  const say = language.sentences;
  const advised = language.mm(ruleset.depth.inspectionThresholdMm);
  const inState = (state: TireState) => tires.filter((tire) => tire.state === state);
  const faulty = sharedGroups(tires).filter(({ isCritical }) => isCritical);
  const shared = (isSame: boolean) =>
    inState('shared')
      .filter(({ sharedWith }) => sharedWith?.isSame === isSame)
      .filter(({ position }) => !faulty.some(({ positions }) => positions.includes(position)));
  const missing = (reason: TireFinding['missing']) => inState('unknown').filter((tire) => tire.missing === reason);
  const surelyWorn = tires.filter((tire) => isSurelyWorn(tire, findings));
  const bald = (isWhole: boolean) => inState('bald').filter((tire) => !surelyWorn.includes(tire) && isWholeBald([tire]) === isWhole);
  const texts = [
    ...about(language, surelyWorn, say['overall.critical']),
    ...faulty.map((group) => ofUnknownTire(group, language)),
    ...about(language, bald(false), say['overall.bald']),
    ...about(language, bald(true), say['overall.baldWhole']),
    ...about(language, inState('worn_smooth'), say['overall.wornSmooth']),
    ...about(language, inState('likely'), say['overall.likely']),
    ...(findings.severity === 'critical' ? [say[surelyWorn.length > 0 ? 'overall.untilReplaced' : 'overall.untilChecked']()] : []),
    ...about(language, tires.filter(isNear(findings)), say['overall.nearLimit']),
    ...about(
      language,
      tires.filter((tire) => isMaybeNear(tire, findings)),
      say['overall.maybeAtLimit'],
    ),
    ...about(language, inState('caution'), say['overall.caution']),
    ...about(language, inState('near_threshold'), (some) => say['overall.nearThreshold'](some, advised)),
    ...about(language, inState('uncertain'), say['overall.uncertain']),
    ...about(language, tires.filter(isPartlySeen), say['overall.partUnseen']),
    ...inspections(findings, language),
    ...about(language, shared(true), say['overall.shared']),
    ...about(language, shared(false), say['overall.similar']),
    ...(['reading', 'image', 'entry'] as const).flatMap((reason) => about(language, missing(reason), say[OVERALL_MISSING[reason]])),
  ];
  const deep = tires.filter(({ state }) => state === 'good' || state === 'old');
  if (deep.length < tires.length) texts.push(...about(language, deep, (some) => say['overall.restGood'](some, advised)));
  else if (texts.length === 0 || inState('old').length > 0) texts.push(say['overall.good'](advised));
  if (findings.severity === 'good' && brakingSeverity === 'caution') texts.push(say['overall.goodLongStop']());
  if (findings.severity === 'good' && tires.some(hasNoRange)) texts.push(say['overall.noRange']());
  const aging = tires.filter((tire) => ageAdviceOf(tire) === 'check');
  texts.push(...about(language, aging, say['overall.aging']));
  return texts;
}

/** The sentences about a tire that is not identified: the measurement, the open question and the action. */
function ofUnknownTire({ positions, isBald, isWholeBald: isWhole, ...measured }: SharedGroup, language: Language): string {
  const named = tiresOf(
    language,
    positions.map((position) => ({ position })),
  );
  const depth = isBald ? null : depthText(language, measured);
  if (depth !== null) return language.sentences['overall.sharedDepth'](named, depth);
  return language.sentences[isWhole ? 'overall.sharedBaldWhole' : 'overall.sharedBald'](named);
}

const DIFFERING: readonly AxleFinding[] = ['maybe_alike', 'differs', 'differs_much'];

/** The sentences about everything except depths that a workshop should inspect. */
function inspections({ wear, axle, sidewall, tires, manual }: Findings, language: Language): string[] {
  const say = language.sentences;
  // The sentence about bald zones names this place already.
  const uneven = (wear?.affected ?? []).filter(({ bald }) => bald === null);
  const texts = about(language, uneven, say['overall.uneven']);
  const differing = [axle.front, axle.rear].map((finding) => DIFFERING.includes(finding));
  if (differing.includes(true))
    texts.push(say[!differing[1] ? 'overall.axleFront' : !differing[0] ? 'overall.axleRear' : 'overall.axleBoth']());
  const old = tires.filter((tire) => ageAdviceOf(tire) === 'replace');
  texts.push(...about(language, old, say['overall.old']));
  if (sidewall?.severity !== 'caution' || !sidewall.axles) return texts;
  const { mixedAxles, diametersDiffer, ...axles } = sidewall.axles;
  const how = (named: readonly ('front' | 'rear')[]) => (!manual && named.some((one) => axles[one].isManual) ? 'Confirmed' : '');
  const [mixed] = mixedAxles;
  if (mixed) {
    const which = mixedAxles.length === 2 ? 'Both' : mixed === 'front' ? 'Front' : 'Rear';
    texts.push(say[`overall.mixed${which}${how(mixedAxles)}`]());
  }
  if (diametersDiffer) texts.push(say[`overall.diameter${how(['front', 'rear'])}`]());
  return texts;
}

import type { Findings, TireFinding } from '../verdicts/findings';
import type { TireState } from '../verdicts/tire-verdict';
import type { Language } from './copy-2.0-language';
import { about } from './copy-2.0-words';

export const overallText = (findings: Findings, language: Language) => ({
  headline: language.sentences[headline(findings)](),
  paragraphs: paragraphs(findings, language),
});

/** The worst that is known decides, and what is certain before what is likely. */
function headline({ severity, tires, minimumDepthMm }: Findings) {
  const has = (...states: readonly TireState[]) => tires.some(({ state }) => states.includes(state));
  switch (severity) {
    case 'critical':
      if (has('critical')) return 'headline.critical';
      if (has('bald', 'worn_smooth')) return 'headline.bald';
      return has('likely') ? 'headline.likely' : 'headline.check';
    case 'caution':
      if (has('near_limit')) return 'headline.nearLimit';
      if (has('caution')) return 'headline.caution';
      return has('near_threshold') ? 'headline.nearThreshold' : 'headline.inspect';
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
  const shared = (isSame: boolean) => inState('shared').filter(({ sharedWith }) => sharedWith?.isSame === isSame);
  const missing = (reason: TireFinding['missing']) => inState('unknown').filter((tire) => tire.missing === reason);
  const texts = [
    ...about(language, inState('critical'), say['overall.critical']),
    ...about(language, inState('bald'), say['overall.bald']),
    ...about(language, inState('worn_smooth'), say['overall.wornSmooth']),
    ...about(language, inState('likely'), say['overall.likely']),
    ...about(language, inState('near_limit'), say['overall.nearLimit']),
    ...about(language, inState('caution'), say['overall.caution']),
    ...about(language, inState('near_threshold'), (some) => say['overall.nearThreshold'](some, advised)),
    ...inspections(findings, language),
    ...about(language, shared(true), say['overall.shared']),
    ...about(language, shared(false), say['overall.similar']),
    ...(['reading', 'image', 'entry'] as const).flatMap((reason) => about(language, missing(reason), say[OVERALL_MISSING[reason]])),
  ];
  const good = inState('good').length;
  if (good === tires.length && texts.length === 0) texts.push(say['overall.good'](advised));
  else if (good > 0 && good < tires.length) texts.push(say['overall.restGood'](advised));
  if (findings.severity === 'good' && brakingSeverity === 'caution') texts.push(say['overall.goodLongStop']());
  return texts;
}

/** What a workshop should look at beside the depths. */
function inspections({ wear, axle, sidewall, tires }: Findings, language: Language): string[] {
  const say = language.sentences;
  const uneven = wear?.affected ?? [];
  const axleDiffers = axle.severity === 'caution' || axle.severity === 'critical';
  const texts = about(language, uneven, say[axleDiffers ? 'overall.unevenAndAxle' : 'overall.uneven']);
  if (uneven.length === 0 && axleDiffers) texts.push(say['overall.axle']());
  if (sidewall?.severity !== 'caution' || !sidewall.axles) return texts;
  const { mixedAxles, diametersDiffer, replace } = sidewall.axles;
  const [mixed] = mixedAxles;
  if (mixed)
    texts.push(say[mixedAxles.length === 2 ? 'overall.mixedBoth' : mixed === 'front' ? 'overall.mixedFront' : 'overall.mixedRear']());
  if (diametersDiffer) texts.push(say['overall.diameter']());
  texts.push(
    ...about(
      language,
      tires.filter(({ position }) => replace.includes(position)),
      say['overall.old'],
    ),
  );
  return texts;
}

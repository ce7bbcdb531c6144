import type { Copy, TireText } from './copy';
import type { Findings, TireFinding } from '../verdicts/findings';
import { isUneven, type WearPattern } from '../verdicts/wear-pattern';
import { brakingText, positionVarianceText, treadWearText, wearPatternText } from './ko-1.0-sections';
import { SENTENCES, type Sentences } from './ko-1.0-sentences';
import { sidewallText } from './ko-1.0-sidewall';
import { tiresMissing, MISSING, mm, topic, tireNames } from './ko-1.0-words';

/** Takes its sentences as a parameter, so that the catalogue of sentences can record which of them a report uses. */
export const koreanCopy = (say: Sentences): Copy => ({
  version: '1.0',
  locale: 'ko-KR',
  severityLabel: (severity) => say[`severity.${severity}`](),
  overall: (findings) => ({ headline: headline(findings, say), paragraphs: overallParagraphs(findings, say) }),
  tire: (tire, findings) => tireText(tire, findings, say),
  treadWear: (findings) => treadWearText(findings, say),
  brakingDistance: (findings) => brakingText(findings, say),
  wearPattern: (findings) => wearPatternText(findings, say),
  positionVariance: (findings) => positionVarianceText(findings, say),
  sidewallSpec: (findings) => sidewallText(findings, say),
});

/** Issued: its output must not change. */
export const COPY_KO_1_0: Copy = koreanCopy(SENTENCES);

function headline({ severity, treadSeverity, minimumDepthMm }: Findings, say: Sentences): string {
  if (severity === 'critical') return say['headline.critical']();
  if (severity === 'unknown') return minimumDepthMm === null ? say['headline.unknown']() : say['headline.partlyUnknown']();
  if (severity === 'good') return say['headline.good']();
  return treadSeverity === 'caution' ? say['headline.caution']() : say['headline.inspect']();
}

const OVERALL_MISSING = { reading: 'overall.unread', image: 'overall.noImage', entry: 'overall.notEntered' } as const;

function overallParagraphs(findings: Findings, say: Sentences): string[] {
  const { tires, ruleset, brakingSeverity } = findings;
  const advised = mm(ruleset.depth.inspectionThresholdMm);
  const at = (severity: TireFinding['severity']) => tires.filter((tire) => tire.severity === severity);
  const some = (list: readonly TireFinding[], sentence: (tires: string) => string) => (list.length > 0 ? [sentence(topic(say, list))] : []);
  const paragraphs = [
    ...some(at('critical'), say['overall.critical']),
    ...some(at('caution'), say['overall.caution']),
    ...inspections(findings, say),
    ...MISSING.flatMap((missing) => some(tiresMissing(tires, missing), say[OVERALL_MISSING[missing]])),
  ];
  const good = at('good');
  if (paragraphs.length === 0) paragraphs.push(say['overall.good'](advised));
  else if (good.length > 0 && good.length + at('unknown').length === tires.length && good.length < tires.length) {
    paragraphs.push(say['overall.restGood'](advised));
  }
  if (findings.severity === 'good' && brakingSeverity === 'caution') paragraphs.push(say['overall.goodLongStop']());
  return paragraphs;
}

function inspections({ wear, axle }: Findings, say: Sentences): string[] {
  const uneven = wear?.affected ?? [];
  const axleDiffers = axle.severity === 'caution' || axle.severity === 'critical';
  if (uneven.length === 0) return axleDiffers ? [say['overall.axle']()] : [];
  return [say[axleDiffers ? 'overall.unevenAndAxle' : 'overall.uneven'](topic(say, uneven))];
}

function tireText(tire: TireFinding, findings: Findings, say: Sentences): TireText {
  return {
    positionLabel: say[`position.${tire.position}`](),
    decisionLabel: decisionLabel(tire, say),
    narrative: narrative(tire, findings, say),
    wear: tire.wear && { label: wearLabel(tire.wear, say), description: wearDescription(tire.wear, say) },
  };
}

const DECISION_MISSING = { reading: 'decision.unread', image: 'decision.noImage', entry: 'decision.notEntered' } as const;

function decisionLabel({ severity, wear, missing }: TireFinding, say: Sentences): string {
  if (missing !== null) return say[DECISION_MISSING[missing]]();
  if (severity === 'good') return say[wear && isUneven(wear.code) ? 'decision.pattern' : 'decision.good']();
  return say[severity === 'critical' ? 'decision.critical' : 'decision.caution']();
}

const TIRE_MISSING = { reading: 'tire.unread', image: 'tire.noImage', entry: 'tire.notEntered' } as const;

function narrative(tire: TireFinding, { ruleset }: Findings, say: Sentences): string {
  const name = tireNames(say, [tire]);
  if (tire.minimumDepthMm === null) return say[TIRE_MISSING[tire.missing ?? 'reading']](name);
  const depth = mm(tire.minimumDepthMm);
  const legal = mm(ruleset.depth.legalLimitMm);
  const advised = mm(ruleset.depth.inspectionThresholdMm);
  if (tire.severity === 'critical') return say[depth === legal ? 'tire.criticalAtLimit' : 'tire.critical'](name, depth, legal);
  if (tire.severity === 'caution') return say[depth === advised ? 'tire.cautionAtThreshold' : 'tire.caution'](name, depth, advised);
  return say['tire.good'](name, depth, advised);
}

function wearLabel({ code, wornSide }: WearPattern, say: Sentences): string {
  if (code === 'one_shoulder_wear_alignment_candidate') return say[`wearLabel.${wornSide ?? 'oneSide'}`]();
  return say[`wearLabel.${code}`]();
}

const WEAR_REASONS = {
  like_new: 'wear.likeNew',
  no_depth: 'wear.noDepth',
  few_grooves: 'wear.fewGrooves',
  low_confidence: 'wear.lowConfidence',
  no_pattern: 'wear.noPattern',
  // No ruleset of this copy gives these.
  bald: 'wear.noPattern',
  shared: 'wear.noPattern',
  wide_interval: 'wear.noPattern',
  part_unseen: 'wear.noPattern',
} as const;

const WEAR_CODES = {
  even_wear: 'wear.even',
  center_wear_overinflation_candidate: 'wear.center',
  both_shoulder_wear_underinflation_candidate: 'wear.bothShoulders',
  mixed_or_uncertain: 'wear.noPattern',
} as const;

function wearDescription({ code, wornSide, reason }: WearPattern, say: Sentences): string {
  if (reason !== null) return say[WEAR_REASONS[reason]]();
  if (code === 'one_shoulder_wear_alignment_candidate') return say[`wear.${wornSide ?? 'oneSide'}`]();
  return say[WEAR_CODES[code]]();
}

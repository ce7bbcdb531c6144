import type { SectionText } from './copy';
import type { Findings } from '../verdicts/findings';
import type { TireState } from '../verdicts/tire-verdict';
import type { WearPattern } from '../verdicts/wear-pattern';
import type { Language } from './copy-2.0-language';
import { about, depthText, isKnown, tiresOf } from './copy-2.0-words';

const TREAD_MISSING = { reading: 'tread.unread', image: 'tread.noImage', entry: 'tread.notEntered' } as const;

export function treadWearText(findings: Findings, language: Language): SectionText {
  const { tires, ruleset } = findings;
  const say = language.sentences;
  const title = say['title.tread_wear']();
  const inState = (state: TireState) => tires.filter((tire) => tire.state === state);
  const missing = inState('unknown');
  if (missing.length === tires.length) {
    const [first] = missing;
    const reason = missing.every((tire) => tire.missing === first?.missing) ? (first?.missing ?? 'reading') : 'reading';
    return { title, badge: say['severity.unknown'](), paragraphs: [say[TREAD_MISSING[reason]]()] };
  }
  const legal = language.mm(ruleset.depth.legalLimitMm);
  const advised = language.mm(ruleset.depth.inspectionThresholdMm);
  const shared = (isSame: boolean) => inState('shared').filter(({ sharedWith }) => sharedWith?.isSame === isSame);
  const paragraphs = [
    ...lowestDepth(findings, language),
    ...about(language, inState('critical'), (some) => say['tread.critical'](some, legal)),
    ...about(language, inState('bald'), say['tread.bald']),
    ...about(language, inState('worn_smooth'), say['tread.wornSmooth']),
    ...about(language, inState('likely'), (some) => say['tread.likely'](some, legal)),
    ...about(language, inState('near_limit'), (some) => say['tread.nearLimit'](some, legal)),
    ...about(language, inState('caution'), (some) => say['tread.caution'](some, advised)),
    ...about(language, inState('near_threshold'), (some) => say['tread.nearThreshold'](some, advised)),
    ...about(language, inState('good'), (some) => say['tread.good'](some, advised)),
    ...about(language, shared(true), say['tread.shared']),
    ...about(language, shared(false), say['tread.similar']),
    ...about(language, missing, say['tread.someUnknown']),
  ];
  return { title, badge: say[treadBadge(findings)](), paragraphs };
}

function lowestDepth({ tires, minimumDepthMm, intervalMm }: Findings, language: Language): string[] {
  const say = language.sentences;
  const depth = depthText(language, { minimumDepthMm, intervalMm });
  const known = tires.filter(isKnown);
  if (depth === null) return [];
  if (known.length === tires.length) return [say['tread.lowestOfAll'](depth)];
  return [known.length === 1 ? say['tread.onlyKnown'](tiresOf(language, known), depth) : say['tread.lowestOfKnown'](depth)];
}

function treadBadge({ tires, treadSeverity, minimumDepthMm }: Findings) {
  if (treadSeverity === 'unknown') return minimumDepthMm === null ? 'severity.unknown' : 'badge.partlyUnknown';
  const isNearLimit = treadSeverity === 'caution' && tires.some(({ state }) => state === 'near_limit');
  return isNearLimit ? 'badge.nearLimit' : (`severity.${treadSeverity}` as const);
}

export function brakingText({ braking, brakingSeverity, tires, ruleset }: Findings, language: Language): SectionText {
  const say = language.sentences;
  const title = say['title.braking_distance']();
  if (!braking) {
    const isBald = tires.some(({ bald }) => bald);
    const badge = say[isBald ? 'severity.critical' : 'severity.unknown']();
    return { title, badge, paragraphs: [say[isBald ? 'braking.bald' : 'braking.unknown']()] };
  }
  const speed = language.kmPerHour(ruleset.braking.speedKmh);
  const { newTireDistanceM: freshM, currentTireDistanceM, gapM, gapCarLengths } = braking;
  const reachM = braking.currentTireDistanceRangeM ?? [currentTireDistanceM];
  const paragraphs: string[] = [];
  if (reachM.every((metres) => metres <= freshM)) {
    paragraphs.push(say['braking.same'](speed, language.metres(currentTireDistanceM)));
  } else {
    paragraphs.push(say['braking.estimate'](speed, language.metres(freshM), language.metres(...reachM)));
    const gapsM = braking.currentTireDistanceRangeM ? reachM.map((metres) => metres - freshM) : [gapM];
    const gap = language.metres(...gapsM);
    const cars = braking.currentTireDistanceRangeM ? gapsM.map((metres) => metres / ruleset.braking.carLengthM) : [gapCarLengths];
    // A length below one car is hard to imagine.
    paragraphs.push(gapCarLengths < 1 ? say['braking.gap'](gap) : say['braking.gapInCars'](gap, language.cars(...cars)));
  }
  paragraphs.push(say[tires.every(isKnown) ? 'braking.lowestOfAll' : 'braking.lowestOfKnown'](), say['braking.note']());
  const badge = brakingSeverity === 'unknown' ? say['badge.partlyUnknown']() : say[`badge.band.${braking.band}`]();
  return { title, badge, paragraphs };
}

type Uneven = readonly [
  sentence: 'pattern.center' | 'pattern.bothShoulders' | 'pattern.outside' | 'pattern.inside' | 'pattern.oneSide',
  of: WearPattern['code'],
  side: WearPattern['wornSide'],
];

const UNEVEN: readonly Uneven[] = [
  ['pattern.center', 'center_wear_overinflation_candidate', null],
  ['pattern.bothShoulders', 'both_shoulder_wear_underinflation_candidate', null],
  ['pattern.outside', 'one_shoulder_wear_alignment_candidate', 'outside'],
  ['pattern.inside', 'one_shoulder_wear_alignment_candidate', 'inside'],
  ['pattern.oneSide', 'one_shoulder_wear_alignment_candidate', null],
];

export function wearPatternText({ tires, wear }: Findings, language: Language): SectionText {
  if (!wear) throw new Error('A manual report has no wear pattern section');
  const say = language.sentences;
  const paragraphs = [
    ...UNEVEN.flatMap(([sentence, code, side]) => {
      const worn = wear.affected.filter((tire) => tire.wear?.code === code && tire.wear.wornSide === side);
      return about(language, worn, say[sentence]);
    }),
    ...about(language, wear.uncertain, say['pattern.uncertain']),
  ];
  const even = tires.length - wear.affected.length - wear.uncertain.length;
  if (even === tires.length) paragraphs.push(say['pattern.allEven']());
  else if (even > 0) paragraphs.push(say['pattern.restEven']());
  return { title: say['title.wear_pattern'](), badge: say[wearBadge(wear, tires.length)](), paragraphs };
}

function wearBadge({ affected, uncertain }: NonNullable<Findings['wear']>, tireCount: number) {
  if (affected.length > 0) return 'badge.wear.affected';
  if (uncertain.length === 0) return 'severity.good';
  return uncertain.length < tireCount ? 'badge.wear.partlyUncertain' : 'wearLabel.mixed_or_uncertain';
}

export function positionVarianceText({ axle }: Findings, language: Language): SectionText {
  const say = language.sentences;
  const title = say['title.position_variance']();
  if (axle.maxDeltaMm === null) return { title, badge: say['severity.unknown'](), paragraphs: [say['axle.unknown']()] };
  const paragraphs = [ofAxle('front', axle.frontDeltaMm, language), ofAxle('rear', axle.rearDeltaMm, language)];
  if (axle.maybeAlike) paragraphs.push(say['axle.maybeAlike']());
  else if (axle.severity === 'caution' || axle.severity === 'critical') paragraphs.push(say[`axle.${axle.severity}`]());
  const badge = axle.severity === 'unknown' ? say['badge.partlyUnknown']() : say[`severity.${axle.severity}`]();
  return { title, badge, paragraphs };
}

function ofAxle(axle: 'front' | 'rear', deltaMm: number | null, language: Language): string {
  const say = language.sentences;
  if (deltaMm === null) return say[`axle.${axle}Unknown`]();
  return deltaMm === 0 ? say[`axle.${axle}Equal`]() : say[`axle.${axle}Delta`](language.mm(deltaMm));
}

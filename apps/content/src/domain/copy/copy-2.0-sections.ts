import type { SectionText } from './copy';
import { isAged, isPartUnseen, type Findings, type TireFinding } from '../verdicts/findings';
import type { BrakingEstimate } from '../verdicts/braking';
import { roundTenth } from '../verdicts/numbers';
import type { Ruleset } from '../rulesets/ruleset';
import type { Severity } from '../verdicts/severity';
import type { TireState } from '../verdicts/tire-verdict';
import type { WearPattern } from '../verdicts/wear-pattern';
import type { Language } from './copy-2.0-language';
import {
  about,
  depthText,
  hasLowEnd,
  hasNoRange,
  isKnown,
  isMaybeNear,
  isNear,
  isPartlySeen,
  isWholeBald,
  tiresOf,
} from './copy-2.0-words';

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
  const shared = (isSame: boolean) =>
    about(
      language,
      inState('shared').filter(({ sharedWith }) => sharedWith?.isSame === isSame),
      say[isSame ? 'tread.shared' : 'tread.similar'],
    );
  // A place without a groove is lower than every groove that was measured, so it is named first.
  const isBald = tires.some(({ bald }) => bald);
  const bald = (isWhole: boolean) => inState('bald').filter((tire) => isWholeBald([tire]) === isWhole);
  const paragraphs = [
    ...(isBald ? [] : lowestDepth(findings, language)),
    // Right after the depth, because it is not known whose depth it is.
    ...(inState('shared').some(({ bald }) => bald)
      ? [say[isWholeBald(inState('shared')) ? 'tread.sharedBaldWhole' : 'tread.sharedBald']()]
      : []),
    ...shared(true),
    ...shared(false),
    ...about(language, inState('critical'), (some) => say['tread.critical'](some, legal)),
    ...about(language, bald(false), say['tread.bald']),
    ...about(language, bald(true), say['tread.baldWhole']),
    ...about(language, inState('worn_smooth'), say['tread.wornSmooth']),
    ...(isBald ? lowestOfRest(findings, language) : []),
    ...about(language, inState('likely'), (some) => say['tread.likely'](some, legal)),
    ...about(language, tires.filter(isNear(findings)), (some) => say['tread.nearLimit'](some, legal)),
    ...about(
      language,
      tires.filter((tire) => isMaybeNear(tire, findings)),
      (some) => say['tread.maybeAtLimit'](some, legal),
    ),
    ...about(language, inState('caution'), (some) => say['tread.caution'](some, advised)),
    ...about(language, inState('near_threshold'), (some) => say['tread.nearThreshold'](some, advised)),
    ...about(language, inState('uncertain'), say['tread.uncertain']),
    ...about(language, tires.filter(isPartlySeen), say['tread.partUnseen']),
    ...about(
      language,
      tires.filter(({ state }) => state === 'good' || state === 'old'),
      (some) => say['tread.good'](some, advised),
    ),
    ...about(
      language,
      tires.filter((tire) => hasLowEnd(tire, findings)),
      (some) => say['tread.lowEnd'](some, advised),
    ),
    ...about(language, missing, say['tread.someUnknown']),
    ...about(language, tires.filter(hasNoRange), say['tread.noRange']),
  ];
  return { title, badge: say[treadBadge(findings)](), paragraphs };
}

/** A tread that is worn smooth has no groove left, and neither has one that has lost its pattern across the whole width. */
function lowestOfRest(findings: Findings, language: Language): string[] {
  if (findings.tires.every(({ bald }) => !bald || bald.wornSmooth)) return lowestDepth(findings, language);
  if (findings.tires.some(({ bald }) => bald?.places.includes('whole'))) return [];
  const depth = depthText(language, findings);
  return depth === null ? [] : [language.sentences['tread.lowestOfRest'](depth)];
}

function lowestDepth(findings: Findings, language: Language): string[] {
  const { tires } = findings;
  const say = language.sentences;
  const depth = depthText(language, findings);
  const known = tires.filter(isKnown);
  if (depth === null) return [];
  if (isOfUnknownTire(known) || isPartUnseen(known)) return [say['tread.lowestMeasured'](depth)];
  if (known.length === tires.length) return [say['tread.lowestOfAll'](depth)];
  return [known.length === 1 ? say['tread.onlyKnown'](tiresOf(language, known), depth) : say['tread.lowestOfKnown'](depth)];
}

/** An image in two slots is of one tire at most: which tires were measured is not known. */
const isOfUnknownTire = (known: readonly TireFinding[]): boolean => known.some(({ sharedWith }) => sharedWith);

function treadBadge(findings: Findings) {
  const { tires, treadSeverity, minimumDepthMm } = findings;
  if (treadSeverity === 'unknown') return minimumDepthMm === null ? 'severity.unknown' : 'badge.partlyUnknown';
  const isNearLimit = treadSeverity === 'caution' && tires.some(isNear(findings));
  return isNearLimit ? 'badge.nearLimit' : (`severity.${treadSeverity}` as const);
}

export function brakingText({ braking, brakingSeverity, tires, ruleset }: Findings, language: Language): SectionText {
  const say = language.sentences;
  const title = say['title.braking_distance']();
  if (!braking) {
    const why = whyNoDistance(tires);
    return { title, badge: say[why === 'braking.unknown' ? 'severity.unknown' : 'severity.critical'](), paragraphs: [say[why]()] };
  }
  const paragraphs = braking.isAtLeast ? distanceAtLeast(braking, ruleset, language) : distance(braking, ruleset, language);
  paragraphs.push(say[brakingOf(tires)]());
  if (isAged(tires)) paragraphs.push(say['braking.aged']());
  paragraphs.push(say['braking.note']());
  return { title, badge: say[brakingBadge(braking, brakingSeverity, tires)](), paragraphs };
}

function distance(braking: BrakingEstimate, ruleset: Ruleset, language: Language): string[] {
  const say = language.sentences;
  const speed = language.kmPerHour(ruleset.braking.speedKmh);
  const { newTireDistanceM: freshM, currentTireDistanceM, currentTireDistanceRangeM: rangeM, gapM, gapCarLengths } = braking;
  const reachM = rangeM ?? [currentTireDistanceM];
  if (reachM.every((metres) => metres <= freshM)) return [say['braking.same'](speed, language.metres(currentTireDistanceM))];
  const gapsM = rangeM ? rangeM.map((metres) => metres - freshM) : [gapM];
  const cars = rangeM ? gapsM.map((metres) => metres / ruleset.braking.carLengthM) : [gapCarLengths];
  const estimate = say['braking.estimate'](speed, language.metres(freshM), language.metres(...reachM));
  // A length below one car is hard to imagine.
  const inCars = gapCarLengths >= 1;
  if (roundTenth(gapsM[0]!) <= 0) return [estimate, say['braking.gapUpTo'](language.metres(gapsM.at(-1)!))];
  const gap = language.metres(...gapsM);
  return [estimate, inCars ? say['braking.gapInCars'](gap, language.cars(...cars)) : say['braking.gap'](gap)];
}

/** The far end is not known. */
function distanceAtLeast(braking: BrakingEstimate, ruleset: Ruleset, language: Language): string[] {
  const say = language.sentences;
  const { newTireDistanceM: freshM, currentTireDistanceM, currentTireDistanceRangeM: rangeM } = braking;
  const nearM = rangeM?.[0] ?? currentTireDistanceM;
  const cars = (nearM - freshM) / ruleset.braking.carLengthM;
  const speed = language.kmPerHour(ruleset.braking.speedKmh);
  return [
    say['braking.estimateAtLeast'](speed, language.metres(freshM), language.metres(nearM)),
    ...(cars < 1 ? [] : [say['braking.gapAtLeast'](language.metres(nearM - freshM), language.cars(cars))]),
  ];
}

/** A zone without pattern is seen, a tread without a groove is likely smooth, and an image in two slots may show a smooth tread. */
function whyNoDistance(tires: readonly TireFinding[]) {
  if (!tires.some(({ bald }) => bald)) return 'braking.unknown';
  const bald = tires.filter(({ state }) => state === 'bald');
  if (bald.length > 0) return isWholeBald(bald) ? 'braking.baldWhole' : 'braking.bald';
  return tires.some(({ state }) => state === 'worn_smooth') ? 'braking.wornSmooth' : 'braking.maybeBald';
}

function brakingOf(tires: readonly TireFinding[]) {
  const known = tires.filter(isKnown);
  if (isOfUnknownTire(known) || isPartUnseen(known)) return 'braking.lowestMeasured';
  return known.length === tires.length ? 'braking.lowestOfAll' : 'braking.lowestOfKnown';
}

/** True of the whole range. */
function brakingBadge({ nearestBand, farthestBand }: BrakingEstimate, severity: Severity, tires: readonly TireFinding[]) {
  if (severity === 'unknown')
    return tires.some((tire) => tire.severity === 'unknown') || isPartUnseen(tires) ? 'badge.partlyUnknown' : 'badge.braking.aged';
  if (nearestBand === farthestBand) return `badge.band.${nearestBand}` as const;
  return nearestBand === 'short' ? 'badge.band.maybeLonger' : 'badge.band.longer';
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
  const worn = tires.filter((tire) => isWorn(tire) && tire.wear?.code === 'even_wear');
  paragraphs.push(...about(language, worn, say['pattern.worn']));
  return { title: say['title.wear_pattern'](), badge: say[wearBadge(wear, tires.length)](), paragraphs };
}

/** Its depth is critical. */
const isWorn = ({ state }: TireFinding): boolean => state === 'critical' || state === 'likely';

function wearBadge({ affected, uncertain, severity }: NonNullable<Findings['wear']>, tireCount: number) {
  if (affected.length > 0) return 'badge.wear.affected';
  if (uncertain.length === 0) return severity === 'good' ? 'severity.good' : 'severity.caution';
  return uncertain.length < tireCount ? 'badge.wear.partlyUncertain' : 'wearLabel.mixed_or_uncertain';
}

export function positionVarianceText({ axle, tires }: Findings, language: Language): SectionText {
  const say = language.sentences;
  const title = say['title.position_variance']();
  const on = (name: 'front' | 'rear') => tires.filter(({ position }) => position.startsWith(name));
  const isNothingKnown = axle.maxDeltaMm === null;
  if (isNothingKnown && !tires.some(isOwnBald)) return { title, badge: say['severity.unknown'](), paragraphs: [say['axle.unknown']()] };
  const paragraphs = [...ofAxle('front', axle, on('front'), language), ...ofAxle('rear', axle, on('rear'), language)];
  const worn = [...(axle.frontDeltaMm === null ? [] : on('front')), ...(axle.rearDeltaMm === null ? [] : on('rear'))].filter(isWorn);
  paragraphs.push(...about(language, worn, say['axle.worn']));
  if (isNothingKnown) return { title, badge: say['severity.unknown'](), paragraphs };
  return { title, badge: say[axleBadge(axle)](), paragraphs };
}

function axleBadge({ severity, front, rear }: Findings['axle']) {
  if (severity !== 'unknown') return `severity.${severity}` as const;
  return front === 'unknown' || rear === 'unknown' ? 'badge.partlyUnknown' : 'badge.axle.cannotTell';
}

const isOwnBald = ({ bald, sharedWith }: TireFinding): boolean => bald !== null && !sharedWith;

const AXLE_FINDINGS = {
  front: {
    cannot_tell: 'axle.frontCannotTell',
    maybe_alike: 'axle.frontMaybeAlike',
    differs: 'axle.frontDiffers',
    differs_much: 'axle.frontDiffersMuch',
  },
  rear: {
    cannot_tell: 'axle.rearCannotTell',
    maybe_alike: 'axle.rearMaybeAlike',
    differs: 'axle.rearDiffers',
    differs_much: 'axle.rearDiffersMuch',
  },
} as const;

/** The measured difference, and its meaning. */
function ofAxle(name: 'front' | 'rear', axle: Findings['axle'], tires: readonly TireFinding[], language: Language): string[] {
  const say = language.sentences;
  const [deltaMm, finding] = name === 'front' ? [axle.frontDeltaMm, axle.front] : [axle.rearDeltaMm, axle.rear];
  if (deltaMm === null || finding === 'unknown')
    return [say[tires.some(isOwnBald) ? (`axle.${name}Bald` as const) : (`axle.${name}Unknown` as const)]()];
  const isExact = tires.every(({ intervalMm }) => intervalMm === null);
  const delta = isExact ? language.mm(deltaMm) : language.aboutMm(deltaMm);
  return [
    deltaMm === 0 ? say[`axle.${name}Equal`]() : say[`axle.${name}Delta`](delta),
    ...(finding === 'alike' ? [] : [say[AXLE_FINDINGS[name][finding]]()]),
  ];
}

import type { SectionText } from './copy';
import type { Findings, TireFinding } from '../verdicts/findings';
import { oneDecimal } from '../verdicts/numbers';
import type { WearPattern } from '../verdicts/wear-pattern';
import type { Sentences } from './ko-1.0-sentences';
import { mm, topic, tireNames } from './ko-1.0-words';

const isKnown = ({ minimumDepthMm }: TireFinding): boolean => minimumDepthMm !== null;

const TREAD_MISSING = { reading: 'tread.unread', image: 'tread.noImage', entry: 'tread.notEntered' } as const;

export function treadWearText({ tires, treadSeverity, minimumDepthMm, ruleset }: Findings, say: Sentences): SectionText {
  const title = say['title.tread_wear']();
  const known = tires.filter(isKnown);
  const unknown = tires.filter((tire) => !isKnown(tire));
  if (minimumDepthMm === null) {
    const reason = tires.every(({ missing }) => missing === tires[0]?.missing) ? (tires[0]?.missing ?? 'reading') : 'reading';
    return { title, badge: say['severity.unknown'](), paragraphs: [say[TREAD_MISSING[reason]]()] };
  }
  const legal = mm(ruleset.depth.legalLimitMm);
  const advised = mm(ruleset.depth.inspectionThresholdMm);
  const depth = mm(minimumDepthMm);
  const [only] = known;
  const paragraphs = [
    unknown.length === 0
      ? say['tread.lowestOfAll'](depth)
      : known.length === 1
        ? say['tread.onlyKnown'](tireNames(say, [only!]), depth)
        : say['tread.lowestOfKnown'](depth),
  ];
  if (minimumDepthMm === ruleset.depth.legalLimitMm) paragraphs.push(say['tread.criticalAtLimit'](legal));
  else if (minimumDepthMm < ruleset.depth.legalLimitMm) paragraphs.push(say['tread.critical'](legal));
  else if (minimumDepthMm <= ruleset.depth.inspectionThresholdMm) paragraphs.push(say['tread.caution'](legal, advised));
  else paragraphs.push(say['tread.good'](advised));
  if (unknown.length > 0) paragraphs.push(say['tread.someUnknown'](tireNames(say, unknown)));
  const badge = treadSeverity === 'unknown' ? say['badge.partlyUnknown']() : say[`severity.${treadSeverity}`]();
  return { title, badge, paragraphs };
}

export function brakingText({ braking, brakingSeverity, tires, ruleset }: Findings, say: Sentences): SectionText {
  const title = say['title.braking_distance']();
  if (!braking) return { title, badge: say['severity.unknown'](), paragraphs: [say['braking.unknown']()] };
  const speed = `시속 ${ruleset.braking.speedKmh}km`;
  const metres = (value: number): string => `${oneDecimal(value)}m`;
  const current = metres(braking.currentTireDistanceM);
  const paragraphs: string[] = [];
  if (braking.gapM === 0) {
    paragraphs.push(say['braking.same'](speed, current));
  } else {
    paragraphs.push(say['braking.estimate'](speed, metres(braking.newTireDistanceM), current));
    const gap = metres(braking.gapM);
    // A length below one car is hard to imagine.
    paragraphs.push(
      braking.gapCarLengths < 1 ? say['braking.gap'](gap) : say['braking.gapInCars'](gap, `${oneDecimal(braking.gapCarLengths)}대`),
    );
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

export function wearPatternText({ tires, wear }: Findings, say: Sentences): SectionText {
  if (!wear) throw new Error('A manual report has no wear pattern section');
  const paragraphs = UNEVEN.flatMap(([sentence, code, side]) => {
    const worn = wear.affected.filter((tire) => tire.wear?.code === code && tire.wear.wornSide === side);
    return worn.length === 0 ? [] : [say[sentence](topic(say, worn))];
  });
  if (wear.uncertain.length > 0) paragraphs.push(say['pattern.uncertain'](topic(say, wear.uncertain)));
  const even = tires.length - wear.affected.length - wear.uncertain.length;
  if (even === tires.length) paragraphs.push(say['pattern.allEven']());
  else if (even > 0) paragraphs.push(say['pattern.restEven']());
  return { title: say['title.wear_pattern'](), badge: wearBadge(wear, tires.length, say), paragraphs };
}

function wearBadge({ affected, uncertain }: NonNullable<Findings['wear']>, tireCount: number, say: Sentences): string {
  if (affected.length > 0) return say['badge.wear.affected']();
  if (uncertain.length === 0) return say['severity.good']();
  return uncertain.length < tireCount ? say['badge.wear.partlyUncertain']() : say['wearLabel.mixed_or_uncertain']();
}

export function positionVarianceText({ axle }: Findings, say: Sentences): SectionText {
  const title = say['title.position_variance']();
  if (axle.maxDeltaMm === null) return { title, badge: say['severity.unknown'](), paragraphs: [say['axle.unknown']()] };
  const paragraphs = [ofAxle('front', axle.frontDeltaMm, say), ofAxle('rear', axle.rearDeltaMm, say)];
  if (axle.severity === 'caution' || axle.severity === 'critical') paragraphs.push(say[`axle.${axle.severity}`]());
  const badge = axle.severity === 'unknown' ? say['badge.partlyUnknown']() : say[`severity.${axle.severity}`]();
  return { title, badge, paragraphs };
}

function ofAxle(axle: 'front' | 'rear', deltaMm: number | null, say: Sentences): string {
  if (deltaMm === null) return say[`axle.${axle}Unknown`]();
  return deltaMm === 0 ? say[`axle.${axle}Equal`]() : say[`axle.${axle}Delta`](mm(deltaMm));
}

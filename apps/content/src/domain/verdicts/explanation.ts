import { judgeAxleSizes } from './axle-sizes';
import { judgeAxle } from './axle-variance';
import { judgeBand, judgeBraking } from './braking';
import { codesOf, findings, isAged, isPartUnseen, liftsOf, sides, wearOf } from './findings';
import type { Judged } from './judged';
import { generationOf } from '../versions/registry';
import { judgeSizes } from './sidewall-summary';
import { readSource, type Snapshot, type TreadReading } from '../source/source';
import { judgeOverall, worst } from './severity';
import { judgeTire, type TireVerdict } from './tire-verdict';
import type { Ruleset } from '../rulesets/ruleset';
import { explainWear, judgeWearOfCar } from './wear-pattern';

export interface Explained extends Judged {
  readonly subject: string;
}

/** Every verdict of a document with its rule, inputs and thresholds, from the functions that decide it. */
export function explain(snapshot: Snapshot): readonly Explained[] {
  const { ruleset } = generationOf(snapshot.generator, snapshot.content_profile.locale);
  const source = readSource(snapshot, ruleset);
  const found = findings(source, snapshot.creation.mode, ruleset);
  const about = (subject: string, judged: Judged): Explained => ({ subject, ...judged });
  const severities = found.tires.map(({ severity }) => severity);
  const lifts = liftsOf(found);
  return [
    about('overall', judgeOverall(severities, lifts)),
    ...source.treads.map((tread) => about(`tire ${tread.position}`, judgedOnly(judgeTire(tread, ruleset)))),
    ...(found.wear
      ? [
          ...source.treads.map((tread) => about(`wear ${tread.position}`, explainWearOf(tread, ruleset))),
          about('wear pattern', judgeWearOfCar(codesOf(found.tires), worst(severities), ruleset)),
        ]
      : []),
    ...(found.braking ? [about('braking band', judgeBand(found.braking.gapPercent, ruleset))] : []),
    about(
      'braking distance',
      judgeBraking(found.braking?.farthestBand ?? null, severities, {
        isAged: isAged(found.tires),
        isPartUnseen: isPartUnseen(found.tires),
      }),
    ),
    about('front axle', judgeAxle(sides(found.tires, 'front'), ruleset)),
    about('rear axle', judgeAxle(sides(found.tires, 'rear'), ruleset)),
    ...(found.sidewall
      ? [about('sidewall', found.sidewall.axles ? judgeAxleSizes(found.sidewall.axles, ruleset) : judgeSizes(found.sidewall))]
      : []),
  ];
}

const judgedOnly = ({ verdict, rule, inputs, thresholds }: TireVerdict): Judged => ({ verdict, rule, inputs, thresholds });

/** Where zones or the image decide, the depths do not. */
function explainWearOf(tread: TreadReading, ruleset: Ruleset): Judged {
  const { depthsMm, confidence, bald, sharedWith } = tread;
  const wear = wearOf(tread, ruleset);
  if (wear.reason === 'part_unseen')
    return { ...explainWear(depthsMm, confidence, ruleset), verdict: wear.code, rule: 'a part of the tread was not seen' };
  if (!bald && !sharedWith && wear.reason !== 'wide_interval') return explainWear(depthsMm, confidence, ruleset);
  if (wear.reason === 'wide_interval')
    return { ...explainWear(depthsMm, confidence, ruleset), verdict: wear.code, rule: 'the intervals leave room for uneven wear' };
  return {
    verdict: wear.code,
    rule: sharedWith ? 'the photograph is in the slot of another tire too' : 'the zones that have lost their pattern decide',
    inputs: { places: bald?.places ?? [] },
    thresholds: {},
  };
}

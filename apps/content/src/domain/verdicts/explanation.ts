import { judgeDelta } from './axle-variance';
import { judgeBand, judgeBraking } from './braking';
import { findings } from './findings';
import type { Judged } from './judged';
import { generationOf } from '../versions/registry';
import { judgeSizes } from './sidewall-summary';
import { readSource, type Snapshot } from '../source/source';
import { judgeDepth, judgeOverall } from './severity';
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
  const lifts = [found.axle.severity, ...(found.wear ? [found.wear.severity] : [])];
  const codes = found.tires.flatMap(({ wear }) => (wear ? [wear.code] : []));
  return [
    about('overall', judgeOverall(severities, lifts)),
    ...source.treads.map((tread) => about(`tire ${tread.position}`, judgeDepth(tread.minimumDepthMm, ruleset))),
    ...(found.wear
      ? [
          ...source.treads.map((tread) => about(`wear ${tread.position}`, explainWear(tread.depthsMm, tread.confidence, ruleset))),
          about('wear pattern', judgeWearOfCar(codes)),
        ]
      : []),
    ...(found.braking ? [about('braking band', judgeBand(found.braking.gapPercent, ruleset))] : []),
    about('braking distance', judgeBraking(found.braking?.band ?? null, severities)),
    about('front axle', judgeDelta(found.axle.frontDeltaMm, ruleset)),
    about('rear axle', judgeDelta(found.axle.rearDeltaMm, ruleset)),
    ...(found.sidewall ? [about('sidewall', judgeSizes(found.sidewall))] : []),
  ];
}

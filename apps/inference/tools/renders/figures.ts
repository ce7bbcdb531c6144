import { median } from '../../src/domain/field';

export type Side = 'left' | 'right' | 'unknown';

/** The ground truth of a render of training/write_renders.py. */
export interface Drawn {
  readonly tread: 'yes' | 'no' | 'unsure';
  readonly rotationDeg: number;
  readonly vehicleSide: Side;
  /** Only grooves with enough visible pixels. */
  readonly grooves: readonly { readonly number: number; readonly depthMm: number }[];
  /** The kind of pattern, and the share of the visible width that has lost it. */
  readonly family?: number;
  readonly baldShare?: number;
  /** The part of its width that the image shows, from 0 to 1. */
  readonly widthSeen?: readonly [from: number, to: number];
  /** Two renders of one tire; one of them has `extraMm` more tread. */
  readonly pair?: { readonly id: number; readonly extraMm: number };
}

/** The measurement of the same render; null where the engine refused it. */
export interface Measured {
  readonly rotationDeg: number;
  readonly vehicleSide: Side;
  /** `number`: the drawn groove that contains most of the outline's pixels; 0 for none. */
  readonly grooves: readonly MeasuredGroove[];
  /** Share of the width in bald zones, where the engine measures them. */
  readonly baldShare?: number;
  readonly wornSmooth?: boolean;
  /** How many parts of the tread were not seen. */
  readonly unseenParts?: number;
}

export interface MeasuredGroove {
  readonly number: number;
  readonly depthMm: number;
  readonly intervalMm?: readonly [low: number, high: number];
}

export interface Comparison {
  readonly drawn: Drawn;
  readonly measured: Measured | null;
  /** Intersection and union of the groove masks, in pixels. */
  readonly bothPx: number;
  readonly eitherPx: number;
}

export interface Figures {
  readonly treads: number;
  readonly refused: number;
  readonly grooveIou: number;
  readonly countExact: number;
  readonly depthMae: number;
  readonly depthWithin1: number;
  readonly depthBias: readonly { readonly fromMm: number; readonly grooves: number; readonly biasMm: number }[];
  readonly pairs: number;
  readonly pairsInOrder: number;
  readonly rotationMedianDeg: number;
  readonly sideKnown: number;
  readonly sideRight: number;
  readonly sideUnknownRight: number;
  readonly others: number;
  readonly othersRefused: number;
  /** Mean absolute error of the bald share of the width. */
  readonly baldShareMae: number;
  /** Treads without a bald pixel in which a bald zone was found, and treads with a tenth of the width bald or more in which one was. */
  readonly baldFalse: number;
  readonly baldFound: number;
}

const share = (flags: readonly boolean[]): number => flags.filter(Boolean).length / flags.length;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
/** Half a turn does not change a tread. */
const turnBetween = (a: number, b: number): number => Math.abs(((((a - b + 90) % 180) + 180) % 180) - 90);
const isMeasured = (one: Comparison): one is Comparison & { measured: Measured } => one.measured !== null;

/** Depths, rotation and side are evaluated on measured renders, counts and pixels on all treads. */
export function figuresOf(all: readonly Comparison[]): Figures {
  const single = all.filter(({ drawn }) => !drawn.pair);
  const treads = single.filter(({ drawn }) => drawn.tread === 'yes');
  const others = single.filter(({ drawn }) => drawn.tread === 'no');
  const measured = treads.filter(isMeasured);
  const depths = measured.flatMap(depthPairs);
  const errors = depths.map(({ drawnMm, measuredMm }) => measuredMm - drawnMm);
  const known = measured.filter(({ drawn }) => drawn.vehicleSide !== 'unknown');
  const unknown = measured.filter(({ drawn }) => drawn.vehicleSide === 'unknown');
  const pairs = pairsOf(all);
  const worn = baldPairs(measured);
  return {
    treads: treads.length,
    refused: share(treads.map(({ drawn, measured: found }) => found === null && drawn.grooves.length > 0)),
    grooveIou: treads.reduce((sum, { bothPx }) => sum + bothPx, 0) / treads.reduce((sum, { eitherPx }) => sum + eitherPx, 0),
    countExact: share(treads.map(({ drawn, measured: found }) => drawn.grooves.length === (found?.grooves.length ?? 0))),
    depthMae: mean(errors.map(Math.abs)),
    depthWithin1: share(errors.map((error) => Math.abs(error) <= 1)),
    depthBias: [1, 2, 3, 4, 5, 6, 7].map((fromMm) => {
      const inside = errors.filter((_, i) => Math.floor(depths[i]!.drawnMm) === fromMm);
      return { fromMm, grooves: inside.length, biasMm: mean(inside) };
    }),
    pairs: pairs.length,
    pairsInOrder: share(pairs.map(([less, more]) => more > less)),
    rotationMedianDeg:
      measured.length === 0 ? NaN : median(measured.map(({ drawn, measured: found }) => turnBetween(drawn.rotationDeg, found.rotationDeg))),
    sideKnown: known.length,
    sideRight: share(known.map(({ drawn, measured: found }) => drawn.vehicleSide === found.vehicleSide)),
    sideUnknownRight: share(unknown.map(({ measured: found }) => found.vehicleSide === 'unknown')),
    others: others.length,
    othersRefused: share(others.map(({ measured: found }) => found === null)),
    baldShareMae: mean(worn.map(({ drawnShare, measuredShare }) => Math.abs(drawnShare - measuredShare))),
    baldFalse: share(worn.filter(({ drawnShare }) => drawnShare === 0).map(({ measuredShare }) => measuredShare > 0)),
    baldFound: share(worn.filter(({ drawnShare }) => drawnShare >= MIN_BALD).map(({ measuredShare }) => measuredShare > 0)),
  };
}

const MIN_BALD = 0.1;
const baldPairs = (all: readonly (Comparison & { measured: Measured })[]) =>
  all.flatMap(({ drawn: { baldShare: drawnShare }, measured: { baldShare: measuredShare } }) =>
    drawnShare === undefined || measuredShare === undefined ? [] : [{ drawnShare, measuredShare }],
  );

function depthPairs({ drawn, measured }: Comparison & { measured: Measured }): { drawnMm: number; measuredMm: number }[] {
  const depths = new Map(drawn.grooves.map(({ number, depthMm }) => [number, depthMm]));
  return measured.grooves.flatMap(({ number, depthMm }) =>
    depths.has(number) ? [{ drawnMm: depths.get(number)!, measuredMm: depthMm }] : [],
  );
}

/** Depth is capped at that of a new tire, so the two renders of a tire may differ by less than half a millimetre. */
const MIN_DIFFERENCE_MM = 0.4;
const meanDepth = (grooves: readonly { readonly depthMm: number }[]): number => mean(grooves.map(({ depthMm }) => depthMm));

/** Mean depths of both renders of a tire, the shallower one first, for tires that were measured twice. */
function pairsOf(all: readonly Comparison[]): [less: number, more: number][] {
  const tires = new Map<number, (Comparison & { measured: Measured })[]>();
  for (const one of all) {
    if (one.drawn.pair && one.drawn.tread === 'yes' && isMeasured(one))
      tires.set(one.drawn.pair.id, [...(tires.get(one.drawn.pair.id) ?? []), one]);
  }
  return [...tires.values()]
    .filter((renders) => renders.length === 2)
    .map((renders) => renders.toSorted((a, b) => a.drawn.pair!.extraMm - b.drawn.pair!.extraMm))
    .filter(([less, more]) => meanDepth(more!.drawn.grooves) - meanDepth(less!.drawn.grooves) >= MIN_DIFFERENCE_MM)
    .map(([less, more]) => [meanDepth(less!.measured.grooves), meanDepth(more!.measured.grooves)]);
}

export const percent = (value: number) => (Number.isNaN(value) ? '–' : `${(100 * value).toFixed(1)} %`);
const number = (value: number, digits: number) => (Number.isNaN(value) ? '–' : value.toFixed(digits));

/** Markdown with a column for each engine. */
export function figureLines(columns: readonly { readonly name: string; readonly figures: Figures }[]): string[] {
  const row = (label: string, cell: (figures: Figures) => string) =>
    `| ${label} | ${columns.map(({ figures }) => cell(figures)).join(' | ')} |`;
  const { treads, others, pairs, sideKnown } = columns[0]!.figures;
  return [
    `| | ${columns.map(({ name }) => name).join(' | ')} |`,
    `|---|${columns.map(() => '--:').join('|')}|`,
    row(`treads refused, of ${treads}`, (f) => percent(f.refused)),
    row('groove mask IoU', (f) => number(f.grooveIou, 3)),
    row('groove count exact', (f) => percent(f.countExact)),
    row('depth, mean absolute error in mm', (f) => number(f.depthMae, 2)),
    row('depth within 1.0 mm', (f) => percent(f.depthWithin1)),
    row('bias in mm, by millimetre from 1 to 8', (f) => f.depthBias.map(({ biasMm }) => number(biasMm, 1)).join(' ')),
    row(`half a millimetre ordered right, of ${pairs} tires`, (f) => percent(f.pairsInOrder)),
    row('rotation, median error in degrees', (f) => number(f.rotationMedianDeg, 1)),
    row(`vehicle side right where it can be seen (${sideKnown})`, (f) => percent(f.sideRight)),
    row('vehicle side unknown where it cannot', (f) => percent(f.sideUnknownRight)),
    row(`renders without a tread refused, of ${others}`, (f) => percent(f.othersRefused)),
    row('bald share of the width, mean absolute error', (f) => number(f.baldShareMae, 3)),
    row('bald zone found where there is none', (f) => percent(f.baldFalse)),
    row('bald zone found where a tenth of the width or more is bald', (f) => percent(f.baldFound)),
  ];
}

import { unseenParts, type Unseen, type UnseenThresholds } from '../../src/domain/tread/unseen-parts';
import { percent, type Drawn, type Measured } from './figures';
import type { Truth, Verdict } from './verdicts';

/** A line of `evaluate-renders --rows`. The grooves are the visible ones. */
export interface Row {
  readonly drawn: Drawn;
  readonly measured: Measured | null;
  readonly unseen?: Unseen;
  readonly truth?: Truth;
  /** As if the tread had been seen as a whole. */
  readonly verdict?: Verdict;
}

/** What a tread of a row is for these thresholds. Only treads that are good otherwise can lose by them. */
interface Good {
  readonly unseen: Unseen;
  readonly isWorn: boolean;
  readonly isBald: boolean;
  readonly missesGroove: boolean;
  /** Shares of the width that are not in the image, at the edge where it is more. */
  readonly outside: number;
}

const MIN_BALD = 0.1;
/** The limit of 1.6 mm concerns the main grooves in the middle three quarters of the width (Directive 89/459/EEC). */
const EDGE = 0.125;
const OUTSIDE = 0.2;
const INSIDE = 0.05;
const NEVER = Infinity;

/** Treads that would be good if nothing had been left unseen. A row of an earlier version, without what was compared, is an error. */
export function goodTreads(rows: readonly Row[]): Good[] {
  return rows
    .filter(({ drawn, verdict }) => drawn.tread === 'yes' && !drawn.pair && verdict === 'good')
    .map(({ drawn, measured, unseen, truth }) => {
      if (!unseen || !drawn.widthSeen) throw new Error('rows without `unseen` or `widthSeen`: measure the renders again');
      const found = new Set(measured?.grooves.map(({ number }) => number));
      const [from, to] = drawn.widthSeen;
      return {
        unseen,
        isWorn: truth === 'legal' || truth === 'inspect',
        isBald: (drawn.baldShare ?? 0) >= MIN_BALD,
        missesGroove: drawn.grooves.some(({ number }) => !found.has(number)),
        outside: Math.max(0, from, 1 - to),
      };
    });
}

const isUnseen = ({ unseen }: Good, thresholds: UnseenThresholds): boolean => unseenParts(unseen, [], false, thresholds).length > 0;
const only = (one: Partial<UnseenThresholds>): UnseenThresholds => ({
  ...{ maxCutShare: NEVER, maxGapShare: NEVER, maxLineStrength: NEVER },
  ...one,
});

interface Choice {
  readonly label: string;
  readonly values: readonly number[];
  readonly of: (value: number) => UnseenThresholds;
  readonly wanted: (tread: Good) => boolean;
  readonly complete: (tread: Good) => boolean;
}

/** Each threshold alone: what it should find, and on which treads it is false. */
const CHOICES: readonly Choice[] = [
  {
    label: 'line above',
    values: [0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25],
    of: (maxLineStrength) => only({ maxLineStrength }),
    wanted: ({ missesGroove }) => missesGroove,
    complete: ({ missesGroove }) => !missesGroove,
  },
  {
    label: 'gap above',
    values: [0.3, 0.35, 0.4, 0.42, 0.46, 0.5],
    of: (maxGapShare) => only({ maxGapShare }),
    wanted: ({ missesGroove }) => missesGroove,
    complete: ({ missesGroove }) => !missesGroove,
  },
  {
    label: 'edge at the border above',
    values: [0.5, 0.7, 0.8, 0.9, 0.95, 0.98],
    of: (maxCutShare) => only({ maxCutShare }),
    wanted: ({ outside }) => outside > OUTSIDE,
    complete: ({ outside }) => outside < INSIDE,
  },
];

const CUT_SHARES = [0.8, 0.9, 0.98, NEVER];
const GAP_SHARES = [0.4, 0.45, NEVER];
const LINE_STRENGTHS = [0.075, 0.15, NEVER];

const shareOf = (treads: readonly Good[], thresholds: UnseenThresholds): string =>
  `${percent(treads.filter((tread) => isUnseen(tread, thresholds)).length / treads.length)} of ${treads.length}`;

/** Tables of Markdown: each threshold alone, then all three together. */
export function costLines(treads: readonly Good[]): string[] {
  return [
    '| threshold alone | what it should find is found | it is false |',
    '|---|--:|--:|',
    ...CHOICES.flatMap(({ label, values, of, wanted, complete }) =>
      values.map(
        (value) => `| ${label} ${value} | ${shareOf(treads.filter(wanted), of(value))} | ${shareOf(treads.filter(complete), of(value))} |`,
      ),
    ),
    '',
    ...togetherLines(treads),
  ];
}

const shown = (value: number): string => (value === NEVER ? '–' : String(value));

function togetherLines(treads: readonly Good[]): string[] {
  const [worn, bald] = [treads.filter(({ isWorn }) => isWorn), treads.filter(({ isBald }) => isBald)];
  const outside = treads.filter(({ outside }) => outside > EDGE);
  const missed = treads.filter(({ outside, missesGroove }) => outside <= EDGE && missesGroove);
  const complete = treads.filter(({ outside, missesGroove, isWorn, isBald }) => outside <= EDGE && !missesGroove && !isWorn && !isBald);
  const left = (wrong: readonly Good[], t: UnseenThresholds) => `${wrong.filter((tread) => !isUnseen(tread, t)).length} of ${wrong.length}`;
  const row = (t: UnseenThresholds) =>
    [
      ...[shown(t.maxCutShare), shown(t.maxGapShare), shown(t.maxLineStrength), left(worn, t), left(bald, t)],
      ...[shareOf(treads, t), shareOf(outside, t), shareOf(missed, t), shareOf(complete, t)],
    ].join(' | ');
  const all = CUT_SHARES.flatMap((maxCutShare) =>
    GAP_SHARES.flatMap((maxGapShare) => LINE_STRENGTHS.map((maxLineStrength) => ({ maxCutShare, maxGapShare, maxLineStrength }))),
  );
  return [
    '| edge | gap | line | still good, below 3.0 mm | still good, a tenth bald | not seen, of the good ones | of those without an eighth at an edge | of the others, a groove missed | of complete ones |',
    '|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...all.map((t) => `| ${row(t)} |`),
  ];
}

import { roundDepth } from '@tire/kernel';
import type { Comparison, Drawn, Measured } from './figures';

const LEGAL_MM = 1.6;
const INSPECT_MM = 3;
/** A tire is good only if at most this share of its interval lies below the threshold of inspection, as in ruleset 2.0 of content. */
const MAX_SHARE_BELOW = 0.025;
const MIN_BALD = 0.1;
const MIN_WIDTH = 0.9;

/** The verdicts of content 2.0 about a tire. */
const VERDICTS = ['good', 'unseen', 'near', 'caution', 'likely', 'critical'] as const;
export type Verdict = (typeof VERDICTS)[number];
export type Truth = 'legal' | 'inspect' | 'deep';

export const lowestOf = <Groove extends { readonly depthMm: number }>(grooves: readonly Groove[]): Groove | undefined =>
  grooves.reduce<Groove | undefined>((lowest, one) => (lowest && lowest.depthMm <= one.depthMm ? lowest : one), undefined);

/** The lowest groove is not known by its index: the lowest of all lows and of all highs hold it. Rounded as a report shows it. */
function lowestInterval(grooves: Measured['grooves']): readonly [low: number, high: number] {
  const ends = grooves.map(({ depthMm, intervalMm: [low, high] = [depthMm, depthMm] }) => [
    Math.min(low, depthMm),
    Math.max(high, depthMm),
  ]);
  return [roundDepth(Math.min(...ends.map(([low]) => low!))), roundDepth(Math.min(...ends.map(([, high]) => high!)))];
}

/** The verdict of content on the tire's lowest groove; undefined for a refusal. Without an interval only the depth decides. */
export function verdictOf(measured: Measured | null): Verdict | undefined {
  if (!measured) return undefined;
  if ((measured.baldShare ?? 0) > 0 || measured.wornSmooth) return 'critical';
  const lowest = lowestOf(measured.grooves);
  if (!lowest) return undefined;
  const depthMm = roundDepth(lowest.depthMm);
  const [low, high] = lowestInterval(measured.grooves);
  if (high <= LEGAL_MM) return 'critical';
  if (depthMm <= LEGAL_MM) return 'likely';
  if (low <= LEGAL_MM) return 'near';
  if (depthMm <= INSPECT_MM) return 'caution';
  // Differences of tenths carry binary noise of about 1e-16.
  const below = low >= INSPECT_MM ? 0 : Math.round(((INSPECT_MM - low) / (high - low)) * 1e6) / 1e6;
  if (below > MAX_SHARE_BELOW) return 'near';
  return (measured.unseenParts ?? 0) > 0 ? 'unseen' : 'good';
}

/** The truth by the lowest drawn groove. A tread without grooves is worn smooth where it is bald; other patterns have no truth. */
export function truthOf({ grooves, baldShare = 0 }: Drawn): Truth | undefined {
  const lowest = lowestOf(grooves)?.depthMm ?? (baldShare >= MIN_BALD ? 0 : undefined);
  if (lowest === undefined) return undefined;
  return lowest <= LEGAL_MM ? 'legal' : lowest < INSPECT_MM ? 'inspect' : 'deep';
}

const TRUTHS: Readonly<Record<Truth, string>> = { legal: '1.6 mm or less', inspect: '1.6 to 3.0 mm', deep: '3.0 mm and more' };

/** A confusion table of verdicts by the true minimum, as lines of Markdown. */
export function verdictLines(all: readonly Comparison[]): string[] {
  const treads = all.filter(({ drawn }) => drawn.tread === 'yes' && !drawn.pair);
  const of = (truth: Truth) => treads.filter(({ drawn }) => truthOf(drawn) === truth);
  const count = (renders: readonly Comparison[], verdict: Verdict | undefined) =>
    renders.filter(({ measured }) => verdictOf(measured) === verdict).length;
  const known = treads.filter(({ drawn }) => truthOf(drawn) !== undefined);
  const worn = [...of('legal'), ...of('inspect')];
  const bald = treads.filter(({ drawn }) => (drawn.baldShare ?? 0) >= MIN_BALD);
  const cut = treads.filter(({ drawn: { widthSeen } }) => widthSeen && widthSeen[1] - widthSeen[0] < MIN_WIDTH);
  const row = (label: string, renders: readonly Comparison[]) =>
    `| ${label} | ${renders.length} | ${[...VERDICTS, undefined].map((verdict) => count(renders, verdict)).join(' | ')} |`;
  return [
    '| true lowest groove | treads | good | part not seen | not sure near a limit | caution | likely critical | critical | refused |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...(Object.keys(TRUTHS) as Truth[]).map((truth) => row(TRUTHS[truth], of(truth))),
    row('a tenth of the width or more is bald', bald),
    row('a tenth of the width or more is not in the image', cut),
    '',
    `good at 1.6 mm or less: ${count(of('legal'), 'good')} of ${of('legal').length}; good below 3.0 mm: ` +
      `${count(worn, 'good')} of ${worn.length}; not sure near a limit: ${count(known, 'near')} of ${known.length}; ` +
      `deep enough, but a part not seen: ${count(known, 'unseen')} of ${known.length}`,
  ];
}

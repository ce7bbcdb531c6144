import type { Comparison, Drawn, Measured } from './figures';

const LEGAL_MM = 1.6;
const INSPECT_MM = 3;
/** A tire is good only if at most this share of its interval lies below the threshold of inspection. */
const MAX_SHARE_BELOW = 0.1;
const MIN_BALD = 0.1;

export type Verdict = 'good' | 'caution' | 'critical';
export type Truth = 'legal' | 'inspect' | 'deep';

export const lowestOf = <Groove extends { readonly depthMm: number }>(grooves: readonly Groove[]): Groove | undefined =>
  grooves.reduce<Groove | undefined>((lowest, one) => (lowest && lowest.depthMm <= one.depthMm ? lowest : one), undefined);

/** The verdict of content on the tire's lowest groove; undefined for a refusal. Without an interval only the depth decides. */
export function verdictOf(measured: Measured | null): Verdict | undefined {
  if (!measured) return undefined;
  const lowest = lowestOf(measured.grooves);
  if ((measured.baldShare ?? 0) > 0 || measured.wornSmooth) return 'critical';
  if (!lowest) return undefined;
  const { depthMm, intervalMm: [low, high] = [depthMm, depthMm] } = lowest;
  if (depthMm <= LEGAL_MM) return 'critical';
  const below = high > low ? (INSPECT_MM - low) / (high - low) : depthMm < INSPECT_MM ? 1 : 0;
  return below > MAX_SHARE_BELOW ? 'caution' : 'good';
}

/** By the lowest groove that was drawn. A tread without one is worn smooth where it is bald; other patterns have no truth. */
export function truthOf({ grooves, baldShare = 0 }: Drawn): Truth | undefined {
  const lowest = lowestOf(grooves)?.depthMm ?? (baldShare >= MIN_BALD ? 0 : undefined);
  if (lowest === undefined) return undefined;
  return lowest <= LEGAL_MM ? 'legal' : lowest < INSPECT_MM ? 'inspect' : 'deep';
}

/** The interval of the lowest groove reaches a limit: content says that it is not sure. */
function isNearLimit(measured: Measured | null): boolean {
  const [low, high] = lowestOf(measured?.grooves ?? [])?.intervalMm ?? [0, 0];
  return [LEGAL_MM, INSPECT_MM].some((limit) => low < limit && limit < high);
}

const TRUTHS: Readonly<Record<Truth, string>> = { legal: '1.6 mm or less', inspect: '1.6 to 3.0 mm', deep: '3.0 mm and more' };

/** A confusion table of verdicts by the true minimum, as lines of Markdown. */
export function verdictLines(all: readonly Comparison[]): string[] {
  const treads = all.filter(({ drawn }) => drawn.tread === 'yes' && !drawn.pair);
  const of = (truth: Truth) => treads.filter(({ drawn }) => truthOf(drawn) === truth);
  const count = (renders: readonly Comparison[], verdict: Verdict | undefined) =>
    renders.filter(({ measured }) => verdictOf(measured) === verdict).length;
  const known = treads.filter(({ drawn }) => truthOf(drawn) !== undefined);
  const bald = treads.filter(({ drawn }) => (drawn.baldShare ?? 0) >= MIN_BALD);
  const row = (label: string, renders: readonly Comparison[]) =>
    `| ${label} | ${renders.length} | ${(['good', 'caution', 'critical', undefined] as const).map((verdict) => count(renders, verdict)).join(' | ')} |`;
  return [
    '| true lowest groove | treads | good | caution | critical | refused |',
    '|---|--:|--:|--:|--:|--:|',
    ...(Object.keys(TRUTHS) as Truth[]).map((truth) => row(TRUTHS[truth], of(truth))),
    row('a tenth of the width or more is bald', bald),
    '',
    `good at 1.6 mm or less: ${count(of('legal'), 'good')} of ${known.length}; good below 3.0 mm: ` +
      `${count([...of('legal'), ...of('inspect')], 'good')} of ${known.length}; ` +
      `the interval reaches a limit: ${known.filter(({ measured }) => isNearLimit(measured)).length}`,
  ];
}

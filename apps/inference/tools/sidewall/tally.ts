/** The label of an image and what was read. */
export interface Answer {
  /** A size as in labels.tsv, or `none` without a sidewall. */
  readonly expected: string;
  readonly actual: string | null;
  /** Equal for images of one tire; empty if unknown. */
  readonly tireId: string;
}

/** The label of an image without a sidewall. */
const NONE = 'none';

export function verdictOf(expected: string, actual: string | null): 'exact' | 'wrong' | 'not read' | 'refused' {
  if (actual === null) return expected === NONE ? 'refused' : 'not read';
  return actual === expected ? 'exact' : 'wrong';
}

export interface Tally {
  readonly exact: number;
  readonly wrong: number;
  readonly notRead: number;
  /** Images without a sidewall, and how many of them got a size. */
  readonly others: number;
  readonly othersWithSize: number;
}

export function tallyOf(answers: readonly Answer[]): Tally {
  const labelled = answers.filter(({ expected }) => expected !== NONE);
  const count = (of: readonly Answer[], verdict: ReturnType<typeof verdictOf>) =>
    of.filter(({ expected, actual }) => verdictOf(expected, actual) === verdict).length;
  const others = answers.filter(({ expected }) => expected === NONE);
  return {
    exact: count(labelled, 'exact'),
    wrong: count(labelled, 'wrong'),
    notRead: count(labelled, 'not read'),
    others: others.length,
    othersWithSize: count(others, 'wrong'),
  };
}

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

export function tallyLine({ exact, wrong, notRead, others, othersWithSize }: Tally): string {
  const all = exact + wrong + notRead;
  const read = `exact ${exact} (${percent(exact, all)}), wrong ${wrong} (${percent(wrong, all)}), not read ${notRead} of ${all}`;
  if (others === 0) return read;
  return `${read}; without a sidewall: a size given for ${othersWithSize} of ${others} (${percent(othersWithSize, others)})`;
}

/** One answer per tire: the size that most of its images gave; null for a tie. */
export function byTire(answers: readonly Answer[]): Answer[] {
  const tires = new Map<string, Answer[]>();
  for (const answer of answers) {
    if (answer.tireId !== '' && answer.expected !== NONE) tires.set(answer.tireId, [...(tires.get(answer.tireId) ?? []), answer]);
  }
  return [...tires].map(([tireId, images]) => ({ tireId, expected: images[0]!.expected, actual: mostOf(images) }));
}

function mostOf(images: readonly Answer[]): string | null {
  const counts = new Map<string, number>();
  for (const { actual } of images) if (actual !== null) counts.set(actual, (counts.get(actual) ?? 0) + 1);
  const [first, second] = [...counts].sort((a, b) => b[1] - a[1]);
  return first && first[1] !== second?.[1] ? first[0] : null;
}

export interface Goal {
  readonly what: string;
  readonly unit: 'ms' | 's' | 'KB';
  readonly most: number;
  /** One for each round. A size has one value: it does not vary. */
  readonly values: readonly number[];
}

/** `not sure`: the median is on one side of the goal and a round on the other. */
export type Verdict = 'met' | 'missed' | 'not sure';

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function verdictOf({ most, values }: Goal): Verdict {
  if (Math.max(...values) <= most) return 'met';
  return Math.min(...values) > most ? 'missed' : 'not sure';
}

const DIGITS = { ms: 1, s: 2, KB: 1 } as const;

export function tableOf(goals: readonly Goal[]): string {
  const line = (goal: Goal): string => {
    const text = (value: number) => value.toFixed(DIGITS[goal.unit]);
    const [low, high] = [Math.min(...goal.values), Math.max(...goal.values)];
    const range = goal.values.length === 1 ? '' : `${text(low)} to ${text(high)}`;
    return `| ${goal.what} | ${text(medianOf(goal.values))} ${goal.unit} | ${range} | ${goal.most} ${goal.unit} | ${verdictOf(goal)} |`;
  };
  return ['| what | median | range | at most | |', '|---|--:|--:|--:|---|', ...goals.map(line)].join('\n');
}

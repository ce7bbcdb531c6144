import { rangeOf } from '@tire/test-harness/bench';

export interface Goal {
  readonly what: string;
  readonly unit: 'ms' | 's' | 'KB';
  readonly most: number;
  /** One for each round. A size has one value: it does not vary. */
  readonly values: readonly number[];
}

/** `not sure`: the median is on one side of the goal and a round on the other. */
export type Verdict = 'met' | 'missed' | 'not sure';

export function verdictOf({ most, values }: Goal): Verdict {
  const { min, max } = rangeOf(values);
  if (max <= most) return 'met';
  return min > most ? 'missed' : 'not sure';
}

const DIGITS = { ms: 1, s: 2, KB: 1 } as const;

export function tableOf(goals: readonly Goal[]): string {
  const line = (goal: Goal): string => {
    const text = (value: number) => value.toFixed(DIGITS[goal.unit]);
    const { median, min, max } = rangeOf(goal.values);
    const range = goal.values.length === 1 ? '' : `${text(min)} to ${text(max)}`;
    return `| ${goal.what} | ${text(median)} ${goal.unit} | ${range} | ${goal.most} ${goal.unit} | ${verdictOf(goal)} |`;
  };
  return ['| what | median | range | at most | |', '|---|--:|--:|--:|---|', ...goals.map(line)].join('\n');
}

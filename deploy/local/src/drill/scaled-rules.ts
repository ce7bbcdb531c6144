import type { Alert, Recording } from '@tire/chart';

export interface RuleGroups {
  groups: { name: string; interval?: string; rules: (Alert | Recording)[] }[];
}

const UNIT_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
/** How often Prometheus reads the services: once a minute of the day that passes faster, and once a second at most. */
/** At least three seconds: a service leaves out a figure that takes longer than two, and answers then. */
export const readEveryS = (factor: number): number => Math.max(3, Math.round(60 / factor));
/** A rate needs two values, and one of them may be missing. */
const READS_OF_RANGE_MIN = 5;
const WAIT_S_MIN = 1;

function scaled(duration: string, factor: number, leastS: number): string {
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  if (!amount) throw new Error(`not a duration: ${duration}`);
  return `${Math.max(leastS, Math.round((Number(amount) * UNIT_S[unit!]!) / factor))}s`;
}

/** Work that waits, in seconds: its threshold is a waiting time, as `for` is one. */
const WAITING = /(tire_\w*(?:oldest_age|overdue)_seconds\{[^}]*\}\)) > (\d+)/g;

/** The same rules for a day that passes `factor` times as fast: ranges, `for` and thresholds of waiting times. Nothing else changes. */
export function scaledRules({ groups }: RuleGroups, factor: number): RuleGroups {
  const expr = (text: string): string =>
    text
      .replaceAll(/\[(\d+[smhd])\]/g, (_, range: string) => `[${scaled(range, factor, READS_OF_RANGE_MIN * readEveryS(factor))}]`)
      .replaceAll(WAITING, (_, age: string, limit: string) => `${age} > ${Math.max(1, Number(limit) / factor)}`);
  return {
    groups: groups.map((group) => ({
      ...group,
      rules: group.rules.map((rule) => ({
        ...rule,
        expr: expr(rule.expr),
        ...('for' in rule && rule.for ? { for: scaled(rule.for, factor, WAIT_S_MIN) } : {}),
      })),
    })),
  };
}

import type { Car } from './cars';
import type { Device, Effort } from './hands';

export interface Served {
  /** Its index in the morning. */
  readonly car: number;
  readonly device: Device;
  readonly language: string;
  readonly effort: Effort;
}

const HEAD = ['| car | steps at 1,280 px | seconds | steps at 390 px | seconds |', '|---|---|---|---|---|'];
const MARKS = ['<!-- walk:shop -->', '<!-- /walk:shop -->'] as const;

/** The greater number of the two languages. */
export function tableOf(cars: readonly Car[], served: readonly Served[]): string {
  const greatest = (car: number, device: Device) => {
    const efforts = served.filter((one) => one.car === car && one.device === device).map(({ effort }) => effort);
    return `${Math.max(...efforts.map(({ steps }) => steps))} | ${Math.ceil(Math.max(...efforts.map(({ seconds }) => seconds)))}`;
  };
  const rows = cars.map(({ name }, car) => `| ${name} | ${greatest(car, 'desktop')} | ${greatest(car, 'phone')} |`);
  return [...HEAD, ...rows].join('\n');
}

export function withTable(readme: string, table: string): string {
  const [before, rest] = readme.split(MARKS[0]);
  const after = rest?.split(MARKS[1])[1];
  if (after === undefined) throw new Error(`The README has no ${MARKS[0]}`);
  return `${before}${MARKS[0]}\n\n${table}\n\n${MARKS[1]}${after}`;
}

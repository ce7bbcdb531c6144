import type { ServiceName } from '../topology';
import type { World } from './world';

export interface Metric {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The series of one name in the text format of Prometheus. */
export function seriesOf(text: string, name: string): Metric[] {
  const lines = text.matchAll(new RegExp(`^${name}\\{(.*)\\} ([\\d.e+-]+)`, 'gm'));
  return [...lines].map(([, labels = '', value]) => ({
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label!, text!])),
    value: Number(value),
  }));
}

export async function readMetrics({ operationsPorts }: Pick<World, 'operationsPorts'>, service: ServiceName): Promise<string> {
  return (await fetch(`http://127.0.0.1:${operationsPorts[service]}/metrics`)).text();
}

/** Seconds and how often, by `tire.tread decode`. */
export type StageTimes = Readonly<Record<string, { readonly seconds: number; readonly count: number }>>;

const STAGE_METRIC = 'tire_inference_stage_seconds';

export function stageTimesOf(text: string): StageTimes {
  const nameOf = ({ labels }: Metric) => `${labels['kind']} ${labels['tire_stage']}`;
  const counts = new Map(seriesOf(text, `${STAGE_METRIC}_count`).map((metric) => [nameOf(metric), metric.value]));
  return Object.fromEntries(
    seriesOf(text, `${STAGE_METRIC}_sum`).map((metric) => [
      nameOf(metric),
      { seconds: metric.value, count: counts.get(nameOf(metric)) ?? 0 },
    ]),
  );
}

/** The mean of each stage between two readings, in milliseconds. */
export function meanMs(before: StageTimes, after: StageTimes): Record<string, number> {
  const means = Object.entries(after).map(([name, { seconds, count }]) => {
    const times = count - (before[name]?.count ?? 0);
    return [name, times === 0 ? 0 : (1_000 * (seconds - (before[name]?.seconds ?? 0))) / times] as const;
  });
  return Object.fromEntries(means);
}

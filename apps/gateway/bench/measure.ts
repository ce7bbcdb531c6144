import autocannon from 'autocannon';
import { cpuMsOf } from './process-cpu';

export const CONNECTIONS = 32;
export const WARM_UP_SECONDS = 3;
export const MEASURED_SECONDS = 10;
const HALF_LOAD_SECONDS = 8;
const SERVICES = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share'];

export interface Scenario {
  readonly name: string;
  readonly request: autocannon.Options;
  readonly status: number;
  readonly pids: Readonly<Record<string, number>>;
  /** The process that answers HTTP. */
  readonly edge: string;
}

export interface Measured {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** When requests come at half of that rate, counted from when they were due. */
  readonly p99AtHalfLoadMs: number;
  readonly edgeUs: number;
  readonly nodeUs: number;
  readonly postgresUs: number;
  readonly failed: number;
}

/** The same request for each of these paths in turn. */
export const spreadOver = (
  origin: string,
  paths: readonly string[],
  options: Omit<autocannon.Options, 'url'> = {},
): autocannon.Options => ({
  ...options,
  url: origin,
  requests: paths.map((path) => ({ path })),
});

export async function measure({ name, request, status, pids, edge }: Scenario): Promise<Measured> {
  await autocannon({ ...request, connections: CONNECTIONS, duration: WARM_UP_SECONDS });
  const before = await cpuMsOf(pids);
  const result = await autocannon({ ...request, connections: CONNECTIONS, duration: MEASURED_SECONDS });
  const after = await cpuMsOf(pids);
  const requestsPerSecond = result.requests.total / result.duration;
  const overallRate = Math.round(requestsPerSecond / 2);
  const half = await autocannon({ ...request, connections: CONNECTIONS, duration: HALF_LOAD_SECONDS, overallRate });
  const perRequestUs = (names: readonly string[]): number =>
    (names.reduce((sum, process) => sum + (after[process] ?? 0) - (before[process] ?? 0), 0) * 1_000) / result.requests.total;
  return {
    name,
    requestsPerSecond,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    p99AtHalfLoadMs: half.latency.p99,
    edgeUs: perRequestUs([edge]),
    nodeUs: perRequestUs(Object.keys(pids).filter((process) => process === edge || SERVICES.includes(process))),
    postgresUs: perRequestUs(['postgres']),
    failed: failedOf(result, status) + failedOf(half, status),
  };
}

const failedOf = (result: autocannon.Result, status: number): number =>
  result.requests.total - Number(result.statusCodeStats?.[`${status}`]?.count ?? 0) + result.errors;

export function table(rows: readonly Measured[]): string {
  const [bare] = rows;
  const line = (row: Measured) =>
    `| ${[
      row.name,
      row.requestsPerSecond.toFixed(0),
      bare ? `${((100 * row.requestsPerSecond) / bare.requestsPerSecond).toFixed(0)} %` : '',
      row.p50Ms,
      row.p99Ms,
      row.p99AtHalfLoadMs,
      row.edgeUs.toFixed(0),
      row.nodeUs.toFixed(0),
      row.postgresUs.toFixed(0),
      row.failed,
    ].join(' | ')} |`;
  return [
    '| route | requests/s | of bare | p50 ms | p99 ms | p99 ms at half load | edge CPU µs | all services CPU µs | Postgres CPU µs | failed |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map(line),
  ].join('\n');
}

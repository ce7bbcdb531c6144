import autocannon from 'autocannon';
import { paced, type PacedResult } from './half-load';
import { median, rangeText, ROUNDS_MIN } from './judge';
import { cpuMsOf } from './process-cpu';

export const CONNECTIONS = 32;
export const ROUNDS = ROUNDS_MIN;
/** Below 1, the run is short: for a try. */
const LENGTH = Number(process.env['BENCH_LENGTH'] ?? 1);
export const ROUND_SECONDS = 4 * LENGTH;
const WARM_UP_SECONDS = 3 * LENGTH;
const HALF_LOAD_ROUNDS = ROUNDS_MIN;
const HALF_LOAD_SECONDS = 4 * LENGTH;
const HALF_LOAD_WARM_UP_SECONDS = 2 * LENGTH;
const SERVICES = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share'];

export interface Scenario {
  readonly name: string;
  readonly request: autocannon.Options;
  readonly status: number;
  /** By name. Further processes of a service have a number after its name. */
  readonly pids: Readonly<Record<string, number>>;
  /** The service that serves HTTP. */
  readonly edge: string;
}

export interface Measured {
  readonly name: string;
  readonly requestsPerSecond: number;
  /** Of each round. */
  readonly rates: readonly number[];
  readonly ofFirst: number;
  /** Of each round. */
  readonly sharesOfFirst: readonly number[];
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The latency at half of that rate, counted from the time at which each request was due. */
  readonly p99AtHalfLoadMs: number;
  /** Of each round. */
  readonly p99sAtHalfLoadMs: readonly number[];
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

interface Round {
  readonly result: autocannon.Result;
  readonly edgeUs: number;
  readonly nodeUs: number;
  readonly postgresUs: number;
}

const serviceOf = (process: string): string => process.split(' ', 1)[0]!;

async function round({ name, request, status, pids, edge }: Scenario): Promise<Round> {
  const before = await cpuMsOf(pids);
  const result = await autocannon({ ...request, connections: CONNECTIONS, duration: ROUND_SECONDS });
  const after = await cpuMsOf(pids);
  if (failedOf(result, status) > 0) {
    process.stderr.write(`${name}: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors, ${result.timeouts} timeouts\n`);
  }
  const perRequestUs = (names: readonly string[]): number =>
    (names.reduce((sum, process) => sum + (after[process] ?? 0) - (before[process] ?? 0), 0) * 1_000) / result.requests.total;
  const of = (...services: string[]) => Object.keys(pids).filter((process) => services.includes(serviceOf(process)));
  return {
    result,
    edgeUs: perRequestUs(of(edge)),
    nodeUs: perRequestUs(of(edge, ...SERVICES)),
    postgresUs: perRequestUs(of('postgres')),
  };
}

const rateOf = ({ result }: Round): number => result.requests.total / result.duration;

/** Runs the scenarios in turn, round after round, so that other load affects all of them. The first scenario is the baseline. */
export async function measureInTurn(scenarios: readonly Scenario[]): Promise<Measured[]> {
  for (const { request } of scenarios) await autocannon({ ...request, connections: CONNECTIONS, duration: WARM_UP_SECONDS });
  const rounds: Round[][] = [];
  for (let count = 0; count < ROUNDS; count += 1) {
    const row: Round[] = [];
    for (const scenario of scenarios) row.push(await round(scenario));
    rounds.push(row);
  }
  const halves: PacedResult[][] = [];
  for (let count = 0; count < HALF_LOAD_ROUNDS; count += 1) {
    const row: PacedResult[] = [];
    for (const [index, { request, status }] of scenarios.entries()) {
      const rate = median(rounds.map((taken) => rateOf(taken[index]!))) / 2;
      const options = { ...request, connections: CONNECTIONS };
      await paced(options, status, rate, HALF_LOAD_WARM_UP_SECONDS);
      row.push(await paced(options, status, rate, HALF_LOAD_SECONDS));
    }
    halves.push(row);
  }
  return scenarios.map((scenario, index) => summary(scenario, index, rounds, halves));
}

function summary({ name, status }: Scenario, index: number, rounds: readonly Round[][], halves: readonly PacedResult[][]): Measured {
  const own = rounds.map((row) => row[index]!);
  const half = halves.map((row) => row[index]!);
  const sharesOfFirst = rounds.map((row) => rateOf(row[index]!) / rateOf(row[0]!));
  const p99sAtHalfLoadMs = half.map(({ p99Ms }) => p99Ms);
  return {
    name,
    requestsPerSecond: median(own.map(rateOf)),
    rates: own.map(rateOf),
    ofFirst: median(sharesOfFirst),
    sharesOfFirst,
    p50Ms: median(own.map(({ result }) => result.latency.p50)),
    p99Ms: median(own.map(({ result }) => result.latency.p99)),
    p99AtHalfLoadMs: median(p99sAtHalfLoadMs),
    p99sAtHalfLoadMs,
    edgeUs: median(own.map(({ edgeUs }) => edgeUs)),
    nodeUs: median(own.map(({ nodeUs }) => nodeUs)),
    postgresUs: median(own.map(({ postgresUs }) => postgresUs)),
    failed: sum(own.map(({ result }) => failedOf(result, status))) + sum(half.map(({ failed }) => failed)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const failedOf = (result: autocannon.Result, status: number): number =>
  result.requests.total - Number(result.statusCodeStats?.[`${status}`]?.count ?? 0) + result.errors;

/**
 * How much of its rate each scenario keeps. Rates are compared with the first scenario of the same half, which removes the influence of other
 * load on the machine.
 */
export const sharesKept = (before: readonly Measured[], after: readonly Measured[]): { name: string; share: number }[] =>
  before.slice(1).map(({ name, ofFirst }, index) => ({ name, share: after[index + 1]!.ofFirst / ofFirst }));

/** The rate of one beside that of another in the same run, round by round. */
export const rateBeside = (one: Measured, other: Measured): number => median(one.rates.map((rate, index) => rate / other.rates[index]!));

export const printedShares = (shares: ReturnType<typeof sharesKept>): string =>
  shares.map(({ name, share }) => `${name} keeps ${(100 * share).toFixed(0)} % of its rate`).join('; ');

export function table(rows: readonly Measured[]): string {
  const line = (row: Measured) =>
    `| ${[
      row.name,
      rangeText(row.rates, (rate) => rate.toFixed(0)),
      rangeText(row.sharesOfFirst, (share) => `${(100 * share).toFixed(0)} %`),
      row.p50Ms,
      row.p99Ms,
      row.p99AtHalfLoadMs.toFixed(0),
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

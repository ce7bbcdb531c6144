import { percentile } from '@tire/test-harness/bench';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { SERVICES } from '../topology';
import { Attacker } from './attacker';
import type { NeighbourRow, NeighbourWorld } from './neighbour';
import { treeCpuSeconds, watchTrees } from './process-tree';
import { steadyReports, type CompleteReport, type Steady } from './steady';

const P99_GOAL = 3;
/** Each report has four images: the service is busy for an eighth of the time of its cores, which is half of what fair shares leave it. */
const REPORTS_PER_SECOND_OF_CORE = 0.05;
const REPORTS_PER_SECOND_MOST = 2;
/** The next round of an attack begins when the round before has ended, and not sooner than this after its beginning. */
const ROUND_EVERY_MS = 30_000;
const HEAD = `| | sent | complete | lost | requests refused and retried | failed | registered (p50) | measured (p50) | complete (p50) | p99 |
|---|---|---|---|---|---|---|---|---|---|`;
const ALONE_SHARE = 0.5;
const LOOK_EVERY_MS = 500;

export const defaultRate = (): number => Math.min(REPORTS_PER_SECOND_MOST, REPORTS_PER_SECOND_OF_CORE * availableParallelism());

const SLOWEST_SHOWN = 5;

/** On the clock of `performance.now()`. */
interface Round {
  readonly beganMs: number;
  endedMs: number;
}
interface Rounds {
  readonly number: number;
  readonly begun: Round[];
  readonly cutShort: string[];
}

/** Repeats the attack until `isOver`. A refusal ends a round, and the attacker continues with the next one. */
async function repeat(attacker: Attacker, isOver: () => boolean): Promise<Rounds> {
  const rounds: Rounds = { number: attacker.row.number, begun: [], cutShort: [] };
  while (!isOver()) {
    const round: Round = { beganMs: performance.now(), endedMs: Infinity };
    rounds.begun.push(round);
    await attacker.round().catch((error: Error) => !isOver() && rounds.cutShort.push(error.message));
    round.endedMs = performance.now();
    while (!isOver() && performance.now() < round.beganMs + ROUND_EVERY_MS) await pause(LOOK_EVERY_MS);
  }
  return rounds;
}

interface Beside {
  readonly steady: Steady;
  readonly attacks: readonly Rounds[];
}

async function beside(world: NeighbourWorld, rows: readonly NeighbourRow[], load: () => Promise<Steady>): Promise<Beside> {
  const attackers = await Promise.all(rows.map((row) => Attacker.start(row, world, { isPatient: true })));
  let isOver = false;
  const attacking = attackers.map((attacker) => repeat(attacker, () => isOver));
  const steady = await load();
  isOver = true;
  for (const attacker of attackers) attacker.stop();
  return { steady, attacks: await Promise.all(attacking) };
}

function printAttacks(attacks: readonly Rounds[]): void {
  for (const { number, begun, cutShort } of attacks) {
    const lengths = begun.map(({ beganMs, endedMs }) => ((endedMs - beganMs) / 1_000).toFixed(1)).join(', ');
    console.log(`Attack ${number}: rounds of ${lengths} s, ${cutShort.length} of them cut short ${cutShort[0]?.slice(0, 160) ?? ''}`);
  }
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

/** What ran beside the slowest reports: attacks whose round was going on, with the seconds since its beginning when the report began. */
function printSlowest({ slowest }: Steady, attacks: readonly Rounds[]): void {
  const runningAt = ({ beganMs, publishedMs }: CompleteReport): string[] =>
    attacks.flatMap(({ number, begun }) =>
      begun
        .filter((round) => round.beganMs < beganMs + publishedMs && round.endedMs > beganMs)
        .map((round) => `${number} (${seconds(beganMs - round.beganMs)})`),
    );
  console.log('The slowest reports beside the attacks: registered, measured and complete after seconds; attacks in work then');
  for (const report of slowest.slice(0, SLOWEST_SHOWN))
    console.log(`${[report.registeredMs, report.measuredMs, report.publishedMs].map(seconds).join(', ')}; ${runningAt(report).join(', ')}`);
}

function lineOf(name: string, { sent, lost, refused, failed, tookMs, medians }: Steady): string {
  const { registeredMs, measuredMs } = medians;
  const times = [registeredMs, measuredMs, percentile(tookMs, 0.5), percentile(tookMs, 0.99)].map((ms) => `${ms.toFixed(0)} ms`);
  return `| ${[name, sent, tookMs.length, lost.length, refused, failed.length, ...times].join(' | ')} |`;
}

/** CPU time of each process of the system, and of the bench with its attackers, while `work` runs. */
async function withCpu<T>(world: NeighbourWorld, work: () => Promise<T>): Promise<{ result: T; cpu: string }> {
  const cpuSeconds = async () =>
    Promise.all(
      Object.entries({ ...world.pids, 'all with the bench': process.pid }).map(
        async ([name, pid]) => [name, await treeCpuSeconds(pid)] as const,
      ),
    );
  const before = new Map(await cpuSeconds());
  const beganMs = performance.now();
  const result = await work();
  const [all, forS] = [await cpuSeconds(), (performance.now() - beganMs) / 1_000];
  const shares = all.map(([name, after]) => `${name} ${((after - (before.get(name) ?? 0)) / forS).toFixed(2)}`);
  return { result, cpu: shares.join(', ') };
}

/** The memory of each service with all its processes, and whether all stayed below the limits of the chart. */
async function printMemory(world: NeighbourWorld, mostMib: Record<string, number>): Promise<boolean> {
  let isBelow = true;
  for (const service of SERVICES) {
    const [mib, limitMib] = [mostMib[service] ?? 0, await world.limitMib(service)];
    isBelow &&= mib < limitMib;
    console.log(`${service}: at most ${mib.toFixed(0)} of ${limitMib} MiB`);
  }
  return isBelow;
}

interface Run {
  readonly rows: readonly NeighbourRow[];
  readonly minutes: number;
  readonly perSecond: number;
}

/** The attacks again and again, beside a victim whose reports come at an even rate. True where every goal is met. */
export async function allAtOnce(world: NeighbourWorld, { rows, minutes, perSecond }: Run): Promise<boolean> {
  const forMs = minutes * 60_000;
  console.log(`Load average of this machine before: ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`);
  await steadyReports(world, perSecond, 1);
  const { result: alone, cpu: cpuAlone } = await withCpu(world, () => steadyReports(world, perSecond, ALONE_SHARE * forMs));
  const memory = watchTrees(() => world.pids, LOOK_EVERY_MS);
  const {
    result: { steady: attacked, attacks },
    cpu: cpuBeside,
  } = await withCpu(world, () => beside(world, rows, () => steadyReports(world, perSecond, forMs)));
  console.log(`\n${perSecond} reports a second of the victim, each of four images, for ${minutes} minutes beside the attacks\n`);
  console.log(HEAD);
  console.log([lineOf('alone', alone), lineOf('beside the attacks', attacked)].join('\n'));
  printAttacks(attacks);
  printSlowest(attacked, attacks);
  console.log(`\nCores in use alone: ${cpuAlone}\nCores in use beside the attacks: ${cpuBeside}\n`);
  for (const why of [...attacked.lost, ...attacked.failed]) console.log(`Not complete: ${why}`);
  const isBelow = await printMemory(world, await memory.stop());
  const ratio = percentile(attacked.tookMs, 0.99) / percentile(alone.tookMs, 0.99);
  const isWhole = [alone, attacked].every(({ lost, failed }) => lost.length + failed.length === 0);
  console.log(`p99 beside is ${ratio.toFixed(1)} times p99 alone; the goal is ${P99_GOAL}`);
  return isWhole && isBelow && ratio <= P99_GOAL;
}

// `npm run bench:peers`: the worker beside other servers of models, with the same ONNX files and photographs, round by round.
import { cpuMsOf } from '@tire/test-harness';
import { conditionsText, isAtLeast, type MachineSpan, median, percentile, rangeText, watchMachine } from '@tire/test-harness/bench';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { OPERATIONS, type Operation } from '../src/models/manifest';
import type { Plan } from './peer-plan';
import { startPeers, type Server } from './peer-servers';
import { memoryOf, type Memory } from './process-tree';
import { WorkerUnderLoad, type Images } from './worker-under-load';

const MODELS = resolve('apps/inference/models');
const ROUNDS = Number(process.env['PEER_BENCH_ROUNDS'] ?? 5);
/** From the start of the workers on. No round begins that would end later. */
const MOST_SECONDS = Number(process.env['PEER_BENCH_SECONDS'] ?? 500);
/** A share of the seconds below, for a try. */
const LENGTH = Number(process.env['PEER_BENCH_LENGTH'] ?? 1);
const CORES = cpus().length;
const RATE = 1.2;

interface Scenario {
  readonly name: string;
  /** Each sends its next photograph when the last one is answered. */
  readonly clients: Readonly<Partial<Record<Operation, number>>>;
  readonly seconds: number;
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'treads, one client', clients: { 'tire.tread': 1 }, seconds: 2 * LENGTH },
  { name: `treads, ${4 * CORES} clients`, clients: { 'tire.tread': 4 * CORES }, seconds: 4 * LENGTH },
  {
    name: `both, ${2 * CORES} clients each`,
    clients: { 'tire.tread': 2 * CORES, 'tire.sidewall': 2 * CORES },
    seconds: 6 * LENGTH,
  },
];

interface Answer {
  readonly operation: Operation;
  readonly sentMs: number;
  readonly answeredMs: number;
}

/** A server in a scenario of one round. */
interface Turn {
  readonly answers: readonly Answer[];
  readonly rates: Readonly<Record<Operation, number>>;
  /** The photographs of a second, in the cores that a bare loop needs for them. */
  readonly work: number;
  readonly cpuMs: number;
  readonly memory: Memory;
}

const ranged = (values: readonly number[], digits: number) => rangeText(values, (value) => value.toFixed(digits));
const latenciesOf = (turns: readonly Turn[], operation: Operation) =>
  turns.flatMap(({ answers }) => answers.filter((one) => one.operation === operation).map((one) => one.answeredMs - one.sentMs));

/** Each answer counts with the share of its time that lies before the end, so that photographs in work at the end count in part. */
function rateOf(answers: readonly Answer[], beganMs: number, endMs: number): number {
  const done = answers.reduce((sum, { sentMs, answeredMs }) => sum + Math.min(1, Math.max(0, endMs - sentMs) / (answeredMs - sentMs)), 0);
  return (done * 1_000) / (endMs - beganMs);
}

async function turnOf({ measure, pids }: Server, { clients, seconds }: Scenario, plan: Plan): Promise<Turn> {
  const all = Object.fromEntries(pids.map((pid) => [String(pid), pid]));
  const cpuOfAll = async () => Object.values(await cpuMsOf(all)).reduce((sum, one) => sum + one, 0);
  const cpuBeforeMs = await cpuOfAll();
  const answers: Answer[] = [];
  const beganMs = performance.now();
  const endMs = beganMs + seconds * 1_000;
  const client = async (operation: Operation) => {
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      await measure(operation);
      answers.push({ operation, sentMs, answeredMs: performance.now() });
    }
  };
  await Promise.all(OPERATIONS.flatMap((operation) => Array.from({ length: clients[operation] ?? 0 }, () => client(operation))));
  const cpuMs = (await cpuOfAll()) - cpuBeforeMs;
  const rates = Object.fromEntries(
    OPERATIONS.map((operation) => [
      operation,
      rateOf(
        answers.filter((one) => one.operation === operation),
        beganMs,
        endMs,
      ),
    ]),
  ) as Record<Operation, number>;
  const work = OPERATIONS.reduce((sum, operation) => sum + (rates[operation] * plan[operation].bareCpuMs) / 1_000, 0);
  return { answers, rates, work, cpuMs, memory: memoryOf(pids) };
}

type Turns = ReadonlyMap<Server, readonly (readonly Turn[])[]>;

/** All servers in turn in each scenario, round after round, so that other load on the machine affects all of them alike. */
async function inTurn(servers: readonly Server[], plan: Plan, beganMs: number): Promise<Turns> {
  const turns = new Map<Server, Turn[][]>(servers.map((server) => [server, SCENARIOS.map(() => [])]));
  let roundMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const fromMs = performance.now();
    if (round > 0 && fromMs - beganMs + roundMs > MOST_SECONDS * 1_000) break;
    for (const [i, scenario] of SCENARIOS.entries())
      for (const server of servers) turns.get(server)![i]!.push(await turnOf(server, scenario, plan));
    roundMs = performance.now() - fromMs;
  }
  return turns;
}

const operationsOf = ({ clients }: Scenario) => OPERATIONS.filter((operation) => clients[operation]);
const shortOf = (operation: Operation) => operation.replace('tire.', '');
const bareMsOf = (turns: readonly Turn[], plan: Plan) =>
  turns.reduce((sum, { answers }) => sum + answers.reduce((all, { operation }) => all + plan[operation].bareCpuMs, 0), 0);

function table(scenario: Scenario, i: number, turns: Turns, plan: Plan): string {
  const operations = operationsOf(scenario);
  const columns = operations.flatMap((operation) => [`${shortOf(operation)}s/s`, 'p50, p99 ms']);
  const head = ['', ...columns, 'cores of a bare loop', 'CPU, of a bare loop', 'memory MiB (resident)'];
  const rows = [...turns].map(([{ name }, ofServer]) => {
    const own = ofServer[i]!;
    const cells = operations.flatMap((operation) => {
      const latencies = latenciesOf(own, operation);
      const of = [0.5, 0.99].map((share) => percentile(latencies, share).toFixed(0)).join(', ');
      return [
        ranged(
          own.map(({ rates }) => rates[operation]),
          2,
        ),
        `${of} of ${latencies.length}`,
      ];
    });
    const cpu = own.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / bareMsOf(own, plan);
    const memory = `${median(own.map((one) => one.memory.ownMib)).toFixed(0)} (${median(own.map((one) => one.memory.residentMib)).toFixed(0)})`;
    return [
      name,
      ...cells,
      ranged(
        own.map(({ work }) => work),
        2,
      ),
      `${(100 * cpu).toFixed(0)} %`,
      memory,
    ];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

function verdictOf(ratios: readonly number[], p99s: readonly (readonly [number, number])[]): string {
  const isReached = isAtLeast(ratios, RATE);
  if (isReached === 'no') return 'missed';
  if (p99s.some(([own, theirs]) => own > theirs)) return 'its p99 is not as low';
  return isReached === 'yes' ? 'met' : 'not sure';
}

function comparisons(scenario: Scenario, i: number, turns: Turns, own: readonly Server[]): string[] {
  const operations = operationsOf(scenario);
  const others = [...turns.keys()].filter((server) => !own.includes(server));
  return own.flatMap((mine) =>
    others.map((theirs) => {
      const [a, b] = [turns.get(mine)![i]!, turns.get(theirs)![i]!];
      const ratios = a.map(({ work }, round) => work / b[round]!.work);
      const p99s = operations.map((one) => [percentile(latenciesOf(a, one), 0.99), percentile(latenciesOf(b, one), 0.99)] as const);
      const shown = p99s.map(([x, y], at) => `${shortOf(operations[at]!)} p99 ${x.toFixed(0)} and ${y.toFixed(0)} ms`).join(', ');
      return `${mine.name} beside ${theirs.name}: ${ranged(ratios, 2)} times its rate, ${shown}: ${verdictOf(ratios, p99s)}`;
    }),
  );
}

async function planIn(folder: string): Promise<Plan> {
  await promisify(execFile)(process.execPath, ['--enable-source-maps', join(__dirname, 'peer-plan.js'), MODELS, folder]);
  return JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8')) as Plan;
}

async function startWorkers(folder: string, plan: Plan, processes: number): Promise<Server> {
  const images = Object.fromEntries(OPERATIONS.map((operation) => [operation, plan[operation].photograph])) as Images;
  const worker = await WorkerUnderLoad.start({ folder: join(folder, `workers-${processes}`), repository: MODELS, images, processes });
  return {
    name: processes === 1 ? 'one worker' : `${processes} workers`,
    pids: [...worker.pids, worker.brokerPid],
    measure: (operation) => worker.measure(operation),
    close: () => worker.close(),
  };
}

function conditions(plan: Plan, machine: MachineSpan): string {
  return [
    conditionsText(machine),
    ...OPERATIONS.map((operation) => {
      const { runs, bareCpuMs, networkCpuMs } = plan[operation];
      return `A ${shortOf(operation)}: ${bareCpuMs.toFixed(0)} ms of CPU in a bare loop, ${networkCpuMs.toFixed(0)} ms of them in ${runs.length} runs of networks.`;
    }),
  ].join('\n');
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tire-peer-bench-'));
  const open: Server[] = [];
  try {
    const plan = await planIn(folder);
    const { servers: peers, absent, isNoneInstalled } = await startPeers(folder, plan);
    open.push(...peers);
    if (isNoneInstalled) {
      process.stdout.write(`Skipped: the peers need Python 3 and PyPI.\n${absent.join('\n')}\n`);
      return;
    }
    if (peers.length === 0) throw new Error(`No peer starts.\n${absent.join('\n')}`);
    const beganMs = performance.now();
    const own: Server[] = [];
    for (const processes of CORES > 1 ? [1, CORES] : [1]) {
      own.push(await startWorkers(folder, plan, processes));
      open.push(own.at(-1)!);
    }
    const machine = watchMachine();
    const turns = await inTurn([...own, ...peers], plan, beganMs);
    process.stdout.write(`${conditions(plan, machine.end())}\n`);
    for (const reason of absent) process.stdout.write(`Absent: ${reason}\n`);
    for (const [i, scenario] of SCENARIOS.entries()) {
      const rounds = turns.get(own[0]!)![i]!.length;
      process.stdout.write(`\n${scenario.name}, ${rounds} rounds of ${scenario.seconds} s\n\n${table(scenario, i, turns, plan)}\n\n`);
      process.stdout.write(`${comparisons(scenario, i, turns, own).join('\n')}\n`);
    }
  } finally {
    await Promise.all(open.map((server) => server.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);

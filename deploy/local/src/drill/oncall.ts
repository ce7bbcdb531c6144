import { eventually } from '@tire/test-harness';
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { REPOSITORY_ROOT, stackDir } from '../stack-file';
import type { Fault } from './faults';
import { dashboardText } from './panels';
import type { ActiveAlert } from './prometheus';
import { randomOf, seedOf, shuffled } from '../seeded';
import { NAMESPACE, type Watched, watched } from './watched';

const FIRES_WITHIN_MS = 300_000;
const QUIET_WITHIN_MS = 420_000;
const USAGE = `usage: npm run drill:oncall -- [--faults N] [--seed TEXT] [--scale N]

An exercise for the engineer on call. Injects faults, one after another, without naming them, and prints only the alerts that fire, as a
pager does. Commands, one a line:
  alerts            what fires now
  dashboard [NAME]  the present values of a dashboard (default: customers)
  answer TEXT       what is broken, who is hurt, since when, what to do; ends the incident, names the fault and repairs it
  quit
--faults: how many (default 10). --seed: chooses them and their order (default: another one each time). --scale: the rules are those of a
day that passes so many times as fast (default 30).`;

interface Incident {
  readonly fault: Fault;
  readonly alerts: readonly string[];
  readonly injectedAt: Date;
  readonly minutes: number;
  readonly answer: string;
}

const clockOf = (time: Date): string => time.toISOString().slice(11, 19);

const page = ({ labels, annotations, activeAt }: ActiveAlert): string => {
  const place = Object.entries(labels).filter(([name]) => !['alertname', 'namespace', 'severity'].includes(name));
  const at = place.map(([name, value]) => `${name}=${value}`).join(' ');
  return `  ${labels['alertname']} ${at}\n    ${annotations['summary']}\n    since ${activeAt.slice(11, 19)} UTC; ${annotations['runbook_url']}`;
};

/** The pages of an incident: each alert once, when it begins to fire. */
class Pager {
  private readonly sent = new Set<string>();
  private readonly known: ReadonlySet<string>;
  private readonly timer: NodeJS.Timeout;

  /** `known`: what fired before the incident. */
  constructor(
    private readonly read: () => Promise<ActiveAlert[]>,
    known: readonly ActiveAlert[],
  ) {
    this.known = new Set(known.map(Pager.key));
    this.timer = setInterval(() => void this.look().catch(() => undefined), 2_000);
  }

  get names(): string[] {
    return [...new Set([...this.sent].map((key) => key.split(' ')[0]!))];
  }

  private async look(): Promise<void> {
    const fresh: ActiveAlert[] = [];
    for (const alert of await this.read()) {
      const key = Pager.key(alert);
      if (this.known.has(key) || this.sent.has(key)) continue;
      this.sent.add(key);
      fresh.push(alert);
    }
    if (fresh.length === 0) return;
    console.log(`\nFIRING at ${clockOf(new Date())} UTC\n${fresh.map(page).join('\n')}`);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private static key({ labels }: ActiveAlert): string {
    const { alertname, ...place } = labels;
    return `${alertname} ${JSON.stringify(place)}`;
  }
}

async function show(read: () => Promise<string>): Promise<void> {
  console.log(await read().catch((error: Error) => error.message));
}

/** Reads commands until the incident is answered. Undefined: the exercise ends. */
async function answered(lines: AsyncIterator<string>, { prometheus }: Watched): Promise<string | undefined> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) return undefined;
    const [command, ...rest] = value.trim().split(/\s+/);
    if (command === 'quit') return undefined;
    if (command === 'answer' && rest.length > 0) return rest.join(' ');
    if (command === 'alerts') await show(async () => (await prometheus.alerts()).map(page).join('\n') || 'nothing fires');
    else if (command === 'dashboard') await show(() => dashboardText(prometheus, NAMESPACE, rest[0] ?? 'customers'));
    else if (command) console.log('commands: alerts, dashboard [NAME], answer TEXT, quit');
  }
}

async function incident(place: Watched, fault: Fault, lines: AsyncIterator<string>): Promise<Incident | undefined> {
  const { drill, prometheus } = place;
  const isQuiet = async () => (await prometheus.alerts()).length === 0;
  await eventually(isQuiet, { timeoutMs: QUIET_WITHIN_MS, pollMs: 1_000 }).catch(() => undefined);
  const known = await prometheus.alerts();
  if (known.length > 0) console.log(`Still firing from before:\n${known.map(page).join('\n')}`);
  const pager = new Pager(() => prometheus.alerts(), known);
  let repair = async (): Promise<unknown> => undefined;
  const injectedAt = new Date();
  try {
    repair = await fault.inject(drill, prometheus);
    await eventually(async () => pager.names.length > 0, { timeoutMs: FIRES_WITHIN_MS, message: 'no alert fires' });
    const pagedMs = Date.now();
    const answer = await answered(lines, place);
    if (answer === undefined) return undefined;
    return { fault, alerts: pager.names, injectedAt, minutes: (Date.now() - pagedMs) / 60_000, answer };
  } finally {
    pager.stop();
    await repair().catch((error: Error) => {
      console.log(`Not repaired: ${error.message}`);
      drill.calm();
    });
  }
}

/** A fault that cannot be injected or raises no alert does not end the exercise. */
async function survived(place: Watched, fault: Fault, lines: AsyncIterator<string>): Promise<Incident | string | undefined> {
  try {
    return await incident(place, fault, lines);
  } catch (error) {
    place.drill.calm();
    return `Left out: ${fault.what}: ${error instanceof Error ? error.message : String(error)}\n`;
  }
}

const told = ({ fault, alerts, injectedAt, minutes, answer }: Incident): string =>
  `Injected from ${clockOf(injectedAt)} UTC: ${fault.what}.\nAlerts: ${alerts.join(', ')}.\nMinutes to the answer: ${minutes.toFixed(1)}.\nAnswer: ${answer}\n`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      faults: { type: 'string', default: '10' },
      seed: { type: 'string', default: randomUUID() },
      scale: { type: 'string', default: '30' },
      help: { type: 'boolean' },
    },
  });
  const [count, scale] = [Number(values.faults), Number(values.scale)];
  if (values.help || !(count >= 1) || !(scale >= 1)) {
    console.error(USAGE);
    return 2;
  }
  return watched({ folder: 'drill-oncall', scale }, (place) => exercise(place, values.seed, count));
}

async function exercise(place: Watched, seed: string, count: number): Promise<number> {
  const folder = join(REPOSITORY_ROOT, '.local/oncall');
  await mkdir(folder, { recursive: true });
  const record = join(folder, `${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.txt`);
  console.log(
    `Seed ${seed}. The record: ${record}\nIn another shell: PLACE=local STACK_DIR=${stackDir()} . helm/tire-inspection/oncall.sh`,
  );
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  let number = 0;
  for (const fault of shuffled(place.faults, randomOf(seedOf(seed))).slice(0, count)) {
    number += 1;
    console.log(`\nIncident ${number} of ${count}: wait for the pager.`);
    const done = await survived(place, fault, lines);
    if (done === undefined) break;
    const text = typeof done === 'string' ? done : told(done);
    console.log(`\n${text}`);
    await appendFile(record, `${number}. ${text}\n`);
  }
  return 0;
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(`\nThe exercise failed: ${error.stack}`);
    process.exit(1);
  },
);

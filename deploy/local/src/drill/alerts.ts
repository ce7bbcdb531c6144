import { ALERTS } from '@tire/chart';
import { eventually } from '@tire/test-harness';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stackDir } from '../stack-file';
import { type Expected, type Fault, FAULTS, NOT_DRILLED } from './faults';
import { panelsWithoutData } from './panels';
import type { Prometheus } from './prometheus';
import { takeFirstStep } from './runbook';
import { NAMESPACE, type Watched, watched } from './watched';
import type { Drill } from './world';

const FIRES_WITHIN_MS = 180_000;
const RESOLVES_WITHIN_MS = 240_000;

interface Row {
  readonly fault: Fault;
  readonly expected: Expected;
  readonly firedS?: number;
  readonly resolvedS?: number;
  readonly cause?: string;
  readonly failure?: string;
}

const USAGE = `usage: npm run drill:alerts -- [--scale N] [ALERT…]

Injects a fault for each alert of the chart into a stack of its own, waits until the alert fires and names the place, takes the first step of
the runbook, repairs, and waits until the alert ends. --scale: the rules are those of a day that passes so many times as fast (default 30).`;

const secondsSince = (ms: number): number => Math.round((Date.now() - ms) / 1_000);

async function isFiring(prometheus: Prometheus, { alert, place }: Expected): Promise<boolean> {
  const fits = (labels: Readonly<Record<string, string>>) => Object.entries(place).every(([name, value]) => labels[name] === value);
  return (await prometheus.alerts()).some(({ labels }) => labels['alertname'] === alert && fits(labels));
}

/** The first step is taken when the alert fires, as a person would. */
async function observe(prometheus: Prometheus, fault: Fault, expected: Expected, injectedMs: number): Promise<Row> {
  try {
    await eventually(() => isFiring(prometheus, expected), { timeoutMs: FIRES_WITHIN_MS, pollMs: 300, message: 'it does not fire' });
    const firedS = secondsSince(injectedMs);
    const printed = await takeFirstStep(expected.alert);
    const cause = expected.cause.exec(printed)?.[0];
    if (!cause) {
      await writeFile(join(stackDir(), `first-step-${expected.alert}.txt`), printed);
      return { fault, expected, firedS, failure: 'the first step does not show the cause' };
    }
    return { fault, expected, firedS, cause };
  } catch (error) {
    return { fault, expected, failure: String(error) };
  }
}

async function tryOne(drill: Drill, prometheus: Prometheus, fault: Fault): Promise<Row[]> {
  for (const expected of fault.alerts) {
    const quiet = async () => !(await isFiring(prometheus, expected));
    await eventually(quiet, { timeoutMs: RESOLVES_WITHIN_MS, pollMs: 500, message: `${expected.alert} fires before its fault` });
  }
  const injectedMs = Date.now();
  const repair = await fault.inject(drill, prometheus);
  const rows = await Promise.all(fault.alerts.map((expected) => observe(prometheus, fault, expected, injectedMs)));
  await repair();
  const repairedMs = Date.now();
  return Promise.all(
    rows.map(async (row) => {
      const ended = async () => !(await isFiring(prometheus, row.expected));
      return eventually(ended, { timeoutMs: RESOLVES_WITHIN_MS, pollMs: 500 }).then(
        () => ({ ...row, resolvedS: secondsSince(repairedMs) }),
        () => ({ ...row, failure: row.failure ?? 'it does not end after the repair' }),
      );
    }),
  );
}

const named = ({ alert, place }: Expected): string => [alert, ...Object.values(place)].join(' ');
const brief = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 90);

const HEAD = '| alert | fault | fires after | ends after | the first step shows |\n|---|---|--:|--:|---|';
const seconds = (value: number | undefined) => (value === undefined ? '–' : `${value} s`);

const lines = (rows: readonly Row[]): string =>
  rows
    .map(({ fault, expected, firedS, resolvedS, cause, failure }) => {
      const shown = failure ? `FAILED: ${brief(failure)}` : `\`${brief(cause!)}\``;
      return `| ${named(expected)} | ${fault.what} | ${seconds(firedS)} | ${seconds(resolvedS)} | ${shown} |`;
    })
    .join('\n');

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { scale: { type: 'string', default: '30' }, help: { type: 'boolean' } },
  });
  const scale = Number(values.scale);
  const unknown = positionals.filter((name) => !ALERTS.some(({ alert }) => alert === name));
  if (values.help || !(scale >= 1) || unknown.length > 0) {
    console.error(USAGE);
    return 2;
  }
  return watched({ folder: 'drill-alerts', scale }, (place) => drillAll(place, scale, positionals));
}

async function drillAll({ drill, prometheus, faults }: Watched, scale: number, names: readonly string[]): Promise<number> {
  console.log(`Prometheus ${prometheus.version}, Node ${process.version}, rules of the chart ${scale} times as fast\n`);
  const rows: Row[] = [];
  for (const fault of faults.filter(({ alerts }) => names.length === 0 || alerts.some(({ alert }) => names.includes(alert)))) {
    const tried = await tryOne(drill, prometheus, fault).catch((error: unknown) => {
      drill.calm();
      return fault.alerts.map((expected): Row => ({ fault, expected, failure: String(error) }));
    });
    rows.push(...tried);
    console.log(lines(tried));
  }
  console.log(`\n${HEAD}\n${lines(rows)}\n`);
  const empty = names.length === 0 ? await panelsWithoutData(prometheus, NAMESPACE) : [];
  const whole = isWhole(empty);
  return rows.some(({ failure }) => failure) || !whole ? 1 : 0;
}

/** Prints what the drill leaves out. False: something that it should have shown. */
function isWhole(empty: readonly string[]): boolean {
  for (const [alert, why] of Object.entries(NOT_DRILLED)) console.log(`${alert} is not drilled: ${why}.`);
  const known = new Set([...FAULTS.flatMap(({ alerts }) => alerts.map(({ alert }) => alert)), ...Object.keys(NOT_DRILLED)]);
  const forgotten = ALERTS.filter(({ alert }) => !known.has(alert)).map(({ alert }) => alert);
  if (forgotten.length > 0) console.log(`No fault for ${forgotten.join(', ')}.`);
  if (empty.length > 0) console.log(`Panels without data:\n  ${empty.join('\n  ')}`);
  return forgotten.length === 0 && empty.length === 0;
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(`\nThe drill failed: ${error.stack}`);
    process.exit(1);
  },
);

// `npm run bench:neighbours [-- 1 2]`: what a tenant pays for another one's attack. Runs the rows that the arguments name, or all.
// `npm run bench:neighbours -- all-at-once [--minutes 10] [--per-second 0.2] [1 2]`: these attacks, or all, at once beside a victim's steady reports.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allAtOnce, defaultRate } from './all-at-once';
import type { NeighbourResult, NeighbourRow } from './neighbour';
import { chosenRows } from './rows';
import { startWorld, type StartedWorld } from './world';

const ALL_AT_ONCE = 'all-at-once';

interface Measured {
  readonly row: NeighbourRow;
  readonly result: NeighbourResult | undefined;
}

const isWithin = ({ aloneMs, besideMs, goal, failedForVictim, memory }: NeighbourResult): boolean =>
  besideMs <= goal * aloneMs && failedForVictim === 0 && (!memory || memory.mib < memory.limitMib);

/** A system of its own: what one attack leaves behind does not count against the next. */
async function inWorld<T>(use: (started: StartedWorld) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tire-neighbours-'));
  process.env['STACK_DIR'] = folder;
  try {
    const started = await startWorld();
    return await use(started).finally(() => started.stop());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measured(row: NeighbourRow): Promise<NeighbourResult | undefined> {
  try {
    return await inWorld(async ({ world, forgetPeaks }) => {
      await forgetPeaks();
      return row.measure(world);
    });
  } catch (error) {
    console.error(`Row ${row.number} failed:`, error);
    return undefined;
  }
}

function lineOf({ row, result }: Measured): string {
  const cells = result
    ? [
        `${result.aloneMs.toFixed(0)} ms`,
        `${result.besideMs.toFixed(0)} ms`,
        (result.besideMs / result.aloneMs).toFixed(1),
        result.goal.toFixed(1),
        String(result.failedForVictim),
        result.memory ? `${result.memory.mib.toFixed(0)} of ${result.memory.limitMib} MiB` : '',
        isWithin(result) ? 'yes' : 'NO',
      ]
    : ['', '', '', '', '', '', 'NO: the row failed'];
  return `| ${[String(row.number), row.attack, ...cells].join(' | ')} |`;
}

async function measureRows(rows: readonly NeighbourRow[]): Promise<boolean> {
  const all: Measured[] = [];
  for (const row of rows) {
    console.log(`\nRow ${row.number}: ${row.attack}`);
    all.push({ row, result: await measured(row) });
  }
  console.log('\n| # | attack | alone | beside it | ratio | goal | failed | memory | within |\n|---|---|---|---|---|---|---|---|---|');
  for (const each of all) console.log(lineOf(each));
  return all.every(({ result }) => result && isWithin(result));
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '10' }, 'per-second': { type: 'string', default: String(defaultRate()) } },
  });
  const isAllAtOnce = positionals[0] === ALL_AT_ONCE;
  const rows = await chosenRows(positionals.slice(isAllAtOnce ? 1 : 0).map(Number));
  const run = {
    rows: rows.filter(({ prepare }) => prepare),
    minutes: Number(values.minutes),
    perSecond: Number(values['per-second']),
  };
  const isWithinGoals = isAllAtOnce ? await inWorld(({ world }) => allAtOnce(world, run)) : await measureRows(rows);
  process.exitCode = isWithinGoals ? 0 : 1;
}

main().then(
  () => process.exit(),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);

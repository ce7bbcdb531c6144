// `npm run bench:neighbours [-- 1 2]`: what a tenant pays for another one's attack. Runs the rows that the arguments name, or all.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NeighbourResult, NeighbourRow } from './neighbour';
import { startWorld } from './world';

const ROW_FILE = /^row-\d+\.js$/;

interface Measured {
  readonly row: NeighbourRow;
  readonly result: NeighbourResult | undefined;
}

async function chosenRows(): Promise<NeighbourRow[]> {
  const files = (await readdir(__dirname)).filter((name) => ROW_FILE.test(name));
  const modules = await Promise.all(files.map((name) => import(join(__dirname, name)) as Promise<{ row: NeighbourRow }>));
  const rows = modules.map(({ row }) => row).sort((a, b) => a.number - b.number);
  const wanted = process.argv.slice(2).map(Number);
  const unknown = wanted.filter((number) => !rows.some((row) => row.number === number));
  if (unknown.length > 0) throw new Error(`No such row: ${unknown.join(', ')}. There are ${rows.map(({ number }) => number).join(', ')}`);
  return wanted.length === 0 ? rows : rows.filter(({ number }) => wanted.includes(number));
}

const isWithin = ({ aloneMs, besideMs, goal, failedForVictim, memory }: NeighbourResult): boolean =>
  besideMs <= goal * aloneMs && failedForVictim === 0 && (!memory || memory.mib < memory.limitMib);

/** Each row has a system of its own: what one attack leaves behind does not count against the next. */
async function measured(row: NeighbourRow): Promise<NeighbourResult | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'tire-neighbours-'));
  process.env['STACK_DIR'] = folder;
  try {
    const { world, forgetPeaks, stop } = await startWorld();
    try {
      await forgetPeaks();
      return await row.measure(world);
    } finally {
      await stop();
    }
  } catch (error) {
    console.error(`Row ${row.number} failed:`, error);
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function lineOf({ row, result }: Measured): string {
  const cells = result
    ? [
        `${result.aloneMs.toFixed(0)} ms`,
        `${result.besideMs.toFixed(0)} ms`,
        (result.besideMs / result.aloneMs).toFixed(1),
        String(result.goal),
        String(result.failedForVictim),
        result.memory ? `${result.memory.mib.toFixed(0)} of ${result.memory.limitMib} MiB` : '',
        isWithin(result) ? 'yes' : 'NO',
      ]
    : ['', '', '', '', '', '', 'NO: the row failed'];
  return `| ${[String(row.number), row.attack, ...cells].join(' | ')} |`;
}

async function main(): Promise<void> {
  const all: Measured[] = [];
  for (const row of await chosenRows()) {
    console.log(`\nRow ${row.number}: ${row.attack}`);
    all.push({ row, result: await measured(row) });
  }
  console.log('\n| # | attack | alone | beside it | ratio | goal | failed | memory | within |\n|---|---|---|---|---|---|---|---|---|');
  for (const each of all) console.log(lineOf(each));
  process.exitCode = all.every(({ result }) => result && isWithin(result)) ? 0 : 1;
}

main().then(
  () => process.exit(),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);

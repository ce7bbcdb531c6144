import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { NeighbourRow } from './neighbour';

const ROW_FILE = /^row-\d+\.js$/;

/** Every row, by its number. */
async function allRows(): Promise<NeighbourRow[]> {
  const files = (await readdir(__dirname)).filter((name) => ROW_FILE.test(name));
  const modules = await Promise.all(files.map((name) => import(join(__dirname, name)) as Promise<{ row: NeighbourRow }>));
  return modules.map(({ row }) => row).sort((a, b) => a.number - b.number);
}

export async function chosenRows(wanted: readonly number[]): Promise<NeighbourRow[]> {
  const rows = await allRows();
  const unknown = wanted.filter((number) => !rows.some((row) => row.number === number));
  if (unknown.length > 0) throw new Error(`No such row: ${unknown.join(', ')}. There are ${rows.map(({ number }) => number).join(', ')}`);
  return wanted.length === 0 ? rows : rows.filter(({ number }) => wanted.includes(number));
}

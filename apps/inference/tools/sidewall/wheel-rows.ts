import { appendFile, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { LEGIBLE } from './hard-wheel';
import { tallyLine, tallyOf, type Answer } from './tally';

const Row = z.object({
  version: z.string(),
  kind: z.string(),
  seed: z.number(),
  expected: z.string(),
  actual: z.string().nullable(),
  confidence: z.number().nullable(),
  /** The size that would be sure enough, but another text contradicts it. */
  withheld: z.string().nullable(),
  /** The likeliest size where none was given. */
  guess: z.string().nullable(),
  guessConfidence: z.number().nullable(),
  legibility: z.number(),
  detections: z.number(),
  recognitions: z.number(),
  cpuMs: z.number(),
});

/** What was read on one rendered wheel, and what it cost. */
export type WheelRow = z.infer<typeof Row>;

/** The rows of an earlier run, which this one continues. One of another model or kind of wheels is refused. */
export async function rowsIn(file: string, { version, kind }: Pick<WheelRow, 'version' | 'kind'>): Promise<WheelRow[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Row.parse(JSON.parse(line)));
  const other = rows.find((row) => row.version !== version || row.kind !== kind);
  if (other) throw new Error(`${file} holds wheels of the kind ${other.kind}, measured with ${other.version}`);
  return rows;
}

export const addRow = (file: string, row: WheelRow): Promise<void> => appendFile(file, `${JSON.stringify(row)}\n`);

const answerOf = ({ expected, actual }: WheelRow): Answer => ({ expected, actual, tireId: '' });
const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / Math.max(1, of.length);

/** Exact, wrong and unread sizes, of all wheels and of the legible ones; then what read and unread wheels cost. */
export function wheelLines(rows: readonly WheelRow[]): string[] {
  const legible = rows.filter(({ legibility }) => legibility >= LEGIBLE);
  const [read, unread] = [rows.filter(({ actual }) => actual !== null), rows.filter(({ actual }) => actual === null)];
  const cost = (some: readonly WheelRow[]) =>
    `${some.length}: ${mean(some.map(({ detections }) => detections)).toFixed(1)} detections, ` +
    `${mean(some.map(({ recognitions }) => recognitions)).toFixed(1)} recognitions, ${mean(some.map(({ cpuMs }) => cpuMs)).toFixed(0)} ms of CPU each`;
  const withheld = rows.filter((row) => row.withheld !== null);
  const right = withheld.filter((row) => row.withheld === row.expected).length;
  const ratio = mean(unread.map(({ cpuMs }) => cpuMs)) / mean(read.map(({ cpuMs }) => cpuMs));
  return [
    tallyLine(tallyOf(rows.map(answerOf))),
    `  of the legible: ${tallyLine(tallyOf(legible.map(answerOf)))}`,
    `  withheld because of another size on the wheel: ${withheld.length}, of them right ${right}`,
    `  read ${cost(read)}`,
    `  not read ${cost(unread)}`,
    ...(read.length > 0 && unread.length > 0 ? [`  a wheel that is not read costs ${ratio.toFixed(2)} times the CPU of one that is`] : []),
  ];
}

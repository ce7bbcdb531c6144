import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { z } from 'zod';
import { filled } from './renders/filled';
import { coverageLines, coverageOf } from './renders/coverage';
import { measuredOf } from './renders/measured';
import { truthOf, verdictLines, verdictOf } from './renders/verdicts';
import { figureLines, figuresOf, type Drawn, type Comparison } from './renders/figures';
import type { Measured, Outcome } from '../src/models/outcome';
import { newestModel } from './models';
import { measuring } from './labelled-images';
import { writeTreadSheet, type Tile } from './renders/tread-sheet';

const SIDE = z.enum(['left', 'right', 'unknown']);
/** A line of truth.jsonl, as training/write_renders.py writes it. */
const Line = z.object({
  file: z.string(),
  truth: z.string(),
  tread: z.enum(['yes', 'no', 'unsure']),
  rotation_deg: z.number(),
  vehicle_side: SIDE,
  family: z.number().optional(),
  bald_share: z.number().optional(),
  width_seen: z.tuple([z.number(), z.number()]).nullish(),
  grooves: z.array(z.object({ number: z.number(), depth_mm: z.number(), visible: z.boolean().default(true) })),
  pair: z.number().optional(),
  extra_mm: z.number().optional(),
});
type Line = z.infer<typeof Line>;

/** Every groove that was drawn, or only those that change the image by at least three grey levels and are no slivers. */
type Truth = 'drawn' | 'visible';
const hiddenIn = ({ grooves }: Line, truth: Truth): ReadonlySet<number> =>
  new Set(truth === 'drawn' ? [] : grooves.filter(({ visible }) => !visible).map(({ number }) => number));

const drawnOf = (
  { tread, rotation_deg, vehicle_side, grooves, pair, extra_mm, family, bald_share, width_seen }: Line,
  hidden: ReadonlySet<number>,
): Drawn => ({
  ...{ tread, rotationDeg: rotation_deg, vehicleSide: vehicle_side },
  grooves: grooves.filter(({ number }) => !hidden.has(number)).map(({ number, depth_mm }) => ({ number, depthMm: depth_mm })),
  ...{ family, baldShare: bald_share, widthSeen: width_seen ?? undefined },
  ...(pair === undefined ? {} : { pair: { id: pair, extraMm: extra_mm ?? 0 } }),
});

interface Numbers {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

async function numbersOf(file: string): Promise<Numbers> {
  const { data, info } = await sharp(await readFile(file))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

function mostSeen(numbers: Iterable<number>): number {
  const counts = new Map<number, number>();
  for (const number of numbers) if (number > 0) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** Pixels of hidden grooves, and what was found on them, count neither as right nor as wrong. */
function compared(line: Line, outcome: Outcome, truth: Numbers, hidden: ReadonlySet<number>): Comparison {
  const outlines = outcome.kind === 'tread' ? outcome.measurement.grooveMasks.map(({ polygonXyNorm }) => polygonXyNorm) : [];
  const found = filled(outlines, truth.width, truth.height);
  let [bothPx, eitherPx] = [0, 0];
  const under: number[][] = [];
  truth.data.forEach((number, i) => {
    if (found[i]! > 0) (under[found[i]! - 1] ??= []).push(number);
    if (hidden.has(number)) return;
    if (number > 0 || found[i]! > 0) eitherPx++;
    if (number > 0 && found[i]! > 0) bothPx++;
  });
  const measured = measuredOf(outcome, (i) => mostSeen(under[i] ?? []));
  const counted = measured && { ...measured, grooves: measured.grooves.filter(({ number }) => !hidden.has(number)) };
  return { drawn: drawnOf(line, hidden), measured: counted, bothPx, eitherPx };
}

/** The twelve renders with the best overlap of grooves, then the twelve with the worst. */
function extremes(all: readonly (Tile & Comparison)[]): Tile[] {
  const treads = all.filter(({ drawn, eitherPx }) => drawn.tread === 'yes' && !drawn.pair && eitherPx > 0);
  const sorted = treads.toSorted((a, b) => b.bothPx / b.eitherPx - a.bothPx / a.eitherPx);
  return sorted.length <= 24 ? sorted : [...sorted.slice(0, 12), ...sorted.slice(-12)];
}

type Evaluated = Tile & Comparison & Pick<Measured, 'unseen'>;

/**
 * A line for training/interval_coverage.py, training/groove_differences.py, training/compare_rows.py and tools/unseen-thresholds.ts. Its grooves are the visible ones;
 * truth and verdict count every groove, and the verdict is the one of a tread that was seen as a whole.
 */
function rowOf({ file, outcome, drawn, measured, unseen, bothPx, eitherPx }: Evaluated, ofAll: Comparison): string {
  const confidence = outcome.kind === 'tread' ? outcome.measurement.quality?.confidence : undefined;
  const verdict = verdictOf(ofAll.measured && { ...ofAll.measured, unseenParts: 0 });
  const row = {
    file: basename(file),
    drawn,
    measured: measured && { ...measured, confidence },
    unseen,
    pixels: { both: bothPx, either: eitherPx },
    truth: truthOf(ofAll.drawn),
    verdict,
  };
  return JSON.stringify(row, (_, value: unknown) => (typeof value === 'number' ? Math.round(value * 1e3) / 1e3 : value));
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { sheet: { type: 'string' }, rows: { type: 'string' } },
  });
  const [folder, ...repositories] = positionals;
  if (!folder)
    throw new Error(
      'usage: evaluate-renders FOLDER [--sheet FILE] [--rows FILE] [MODEL_REPOSITORY…]; FOLDER is the output of training/write_renders.py',
    );
  const lines = (await readFile(join(folder, 'truth.jsonl'), 'utf8')).trimEnd().split('\n');
  const renders = lines.map((line) => Line.parse(JSON.parse(line)));
  const columns = [];
  const details: string[] = [];
  for (const repository of repositories.length > 0 ? repositories : [join(__dirname, '../models')]) {
    const model = await newestModel(repository, 'tire.tread');
    const measure = await measuring(model);
    const all: Record<Truth, Evaluated[]> = { visible: [], drawn: [] };
    for (const render of renders) {
      const file = join(folder, render.file);
      const { outcome, unseen } = await measure(file);
      const numbers = await numbersOf(join(folder, render.truth));
      for (const truth of ['visible', 'drawn'] as const)
        all[truth].push({ file, outcome, unseen, ...compared(render, outcome, numbers, hiddenIn(render, truth)) });
    }
    if (values.sheet && columns.length === 0) await writeTreadSheet(extremes(all.visible), values.sheet);
    if (values.rows && columns.length === 0)
      await writeFile(values.rows, all.visible.map((one, i) => `${rowOf(one, all.drawn[i]!)}\n`).join(''));
    for (const truth of ['visible', 'drawn'] as const)
      columns.push({ name: `${model.manifest.engine} ${model.manifest.version}, ${truth} grooves`, figures: figuresOf(all[truth]) });
    const coverage = coverageOf(all.visible);
    details.push('', `${model.manifest.engine} ${model.manifest.version}`, '', ...(coverage ? [...coverageLines(coverage), ''] : []));
    details.push(...verdictLines(all.drawn));
  }
  process.stdout.write(`${[...figureLines(columns), ...details].join('\n')}\n`);
}

void main();

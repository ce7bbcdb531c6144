import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { linesOf } from '../src/domain/sidewall/text/line-reader';
import { guessIn, scoreOf, sizeIn } from '../src/domain/sidewall/measure-sidewall';
import { probabilityOf } from '../src/domain/sidewall/size/confidence';
import { parseSizeTable } from '../src/domain/sidewall/size/size-decoder';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import { newestModel } from './models';
import { legibilityOf, renderHardWheel } from './sidewall/hard-wheel';
import { addRow, rowsIn, wheelLines, type WheelRow } from './sidewall/wheel-rows';
import { isWheelKind, KINDS } from './sidewall/wheel-kinds';
import { loadSidewallModel, spelledSize } from './labelled-images';

/** Far from the seeds of calibrate-sidewall. */
const FIRST_SEED = 1_000_000;
const EVERY = 100;
const USAGE = `usage: evaluate-wheels WHEELS [MODEL_REPOSITORY [FIRST_SEED]] [--kind ${Object.keys(KINDS).join('|')}] [--rows FILE]`;

const print = (lines: readonly string[]) => void process.stdout.write(`${lines.join('\n')}\n`);

/**
 * Counts exact, wrong and unread sizes on rendered wheels that nothing was fitted on, for all wheels and for the legible ones. With --rows it
 * continues an earlier run, which takes about two seconds a wheel.
 */
async function main(): Promise<void> {
  const options = { kind: { type: 'string', default: 'usual' }, rows: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [count, repository = join(__dirname, '../models'), firstSeed = FIRST_SEED] = positionals;
  const { kind, rows: file } = values;
  if (!Number(count) || !isWheelKind(kind)) throw new Error(USAGE);
  const model = await newestModel(repository, 'tire.sidewall');
  const engine = await loadSidewallModel(model);
  const sizes = parseSizeTable(await readFile(join(model.folder, model.manifest.tables['sizes']!), 'utf8'));
  const { version } = model.manifest;
  const seeds = Array.from({ length: Number(count) }, (_, i) => Number(firstSeed) + i);
  const rows = (file ? await rowsIn(file, { version, kind }) : []).filter(({ seed }) => seeds.includes(seed));
  const known = new Set(rows.map(({ seed }) => seed));
  const read = async (seed: number): Promise<WheelRow> => {
    const wheel = await renderHardWheel(seed, sizes, kind);
    const image = await decodeImage(wheel.bytes, decodeLimits(model));
    const began = process.cpuUsage();
    const scan = await engine.scan(image);
    const { user, system } = process.cpuUsage(began);
    const lines = linesOf(scan);
    const vote = sizeIn(lines, engine.limits);
    const elected = vote ? undefined : scoreOf(lines);
    const isWithheld = elected && probabilityOf(elected.confidence, engine.limits.line) >= engine.limits.minConfidence;
    const guess = vote ? undefined : guessIn(lines, { ...engine.limits, minGuess: 0 });
    const sumOf = (key: 'detections' | 'recognitions') => scan.passes.reduce((sum, pass) => sum + pass[key], 0);
    return {
      ...{ version, kind, seed },
      expected: wheel.size ? spelledSize(wheel.size) : 'none',
      actual: vote ? spelledSize(vote.size) : null,
      confidence: vote?.confidence ?? null,
      withheld: isWithheld ? spelledSize(elected.size) : null,
      guess: guess ? spelledSize(guess.size) : null,
      guessConfidence: guess?.confidence ?? null,
      legibility: await legibilityOf(wheel),
      ...{ detections: sumOf('detections'), recognitions: sumOf('recognitions'), cpuMs: (user + system) / 1_000 },
    };
  };
  for (const seed of seeds.filter((one) => !known.has(one))) {
    const row = await read(seed);
    rows.push(row);
    if (file) await addRow(file, row);
    if (rows.length % EVERY === 0) print([`${rows.length} wheels`, ...wheelLines(rows)]);
  }
  print([`tire.sidewall ${version}, ${kind}, ${rows.length} wheels`, ...wheelLines(rows)]);
}

void main();

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { scoreOf, sizeIn } from '../src/domain/sidewall/measure-sidewall';
import { parseSizeTable } from '../src/domain/sidewall/size/size-decoder';
import { isLegible } from '../src/domain/sidewall/text/decoded-text';
import type { SidewallScan } from '../src/domain/sidewall/text/line-reader';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import type { SidewallModel } from '../src/models/sidewall-model';
import { loadSidewallModel, spelledSize } from './labelled-images';
import { newestModel } from './models';
import { renderHardWheel } from './sidewall/hard-wheel';

/** Neither those of evaluate-wheels nor those of calibrate-sidewall. */
const FIRST_SEED = 3_000_000;

interface PassRow {
  readonly detections: number;
  readonly recognitions: number;
  /** Log likelihood of the best size that any line of this pass shows. */
  readonly best: number | null;
  readonly legible: number;
  /** The score after this pass and those before it. */
  readonly score: number;
  readonly size: string | null;
}

function rowsOf(scan: SidewallScan, engine: SidewallModel): PassRow[] {
  return scan.passes.map(({ lines, detections, recognitions }, i) => {
    const sofar = scan.passes.slice(0, i + 1).flatMap((pass) => pass.lines);
    const vote = sizeIn(sofar, engine.limits);
    const likelihoods = lines.flatMap(({ readings }) => readings.slice(0, 1).map(({ logLikelihood }) => logLikelihood));
    return {
      detections,
      recognitions,
      best: likelihoods.length > 0 ? Math.max(...likelihoods) : null,
      legible: lines.filter(({ decodedText }) => isLegible(decodedText)).length,
      score: scoreOf(sofar)?.confidence ?? 0,
      size: vote ? spelledSize(vote.size) : null,
    };
  });
}

/** Measures the cost of rendered wheels that are read and of those that are not: runs of the networks and CPU time. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { rows: { type: 'string' } } });
  const [count, repository = join(__dirname, '../models'), first = FIRST_SEED] = positionals;
  if (!Number(count)) throw new Error('usage: sidewall-cost WHEELS [MODEL_REPOSITORY [FIRST_SEED]] [--rows FILE]');
  const model = await newestModel(repository, 'tire.sidewall');
  const engine = await loadSidewallModel(model);
  const sizes = parseSizeTable(await readFile(join(model.folder, model.manifest.tables['sizes']!), 'utf8'));
  const rows = [];
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    const { bytes, size } = await renderHardWheel(seed, sizes);
    const image = await decodeImage(bytes, decodeLimits(model));
    const began = process.cpuUsage();
    const scan = await engine.scan(image);
    const { user, system } = process.cpuUsage(began);
    const passes = rowsOf(scan, engine);
    rows.push({
      seed,
      expected: size ? spelledSize(size) : null,
      read: passes.at(-1)?.size ?? null,
      cpuMs: (user + system) / 1_000,
      passes,
    });
    if (values.rows) await writeFile(values.rows, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
  const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / Math.max(1, of.length);
  for (const [name, some] of [
    ['read', rows.filter(({ read }) => read !== null)],
    ['not read', rows.filter(({ read }) => read === null)],
  ] as const) {
    const of = (key: 'detections' | 'recognitions') => mean(some.map(({ passes }) => passes.reduce((sum, pass) => sum + pass[key], 0)));
    const cpuMs = mean(some.map((row) => row.cpuMs)).toFixed(0);
    console.log(
      `${some.length} ${name}: ${of('detections').toFixed(1)} detections, ${of('recognitions').toFixed(1)} recognitions, ${cpuMs} ms of CPU each`,
    );
  }
}

void main();

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linesOf, type SidewallScan } from '../src/domain/sidewall/text/line-reader';
import { sizeIn } from '../src/domain/sidewall/measure-sidewall';
import { stockSize } from './sidewall/stock-size';
import { byTire, tallyLine, tallyOf, type Answer } from './sidewall/tally';
import { decodeLimits } from '../src/engine/model-worker';
import { UnusableImage } from '@tire/platform/images';
import { decodeImage, type RgbImage } from '../src/imaging/decode';
import { newestModel, type ToolModel } from './models';
import type { SidewallModel } from '../src/models/sidewall-model';
import { labelsOf, loadSidewallModel, spelledSize } from './labelled-images';

// No result is sure enough, so that every pass runs.
const NEVER_SURE = { min_confidence: 2 };

const changed = (model: ToolModel, thresholds: Record<string, number>): ToolModel => ({
  ...model,
  manifest: { ...model.manifest, thresholds: { ...model.manifest.thresholds, ...thresholds } },
});

/** Compares PP-OCRv4 as published, with and without unwrapping, with the current model. */
async function main(): Promise<void> {
  const [folder, stockRepository, repository = join(__dirname, '../models')] = process.argv.slice(2);
  if (!folder || !stockRepository)
    throw new Error('usage: compare-stock FOLDER STOCK [MODEL_REPOSITORY]; STOCK is the output of training/prepare_sidewall.py');
  const sidewall = (from: string) => newestModel(from, 'tire.sidewall');
  const [stock, model] = [await sidewall(stockRepository), await sidewall(repository)];
  const stockRead = (scan: SidewallScan) => stockSize(linesOf(scan).map(({ decodedText }) => decodedText.text));
  const neverSure = changed(stock, NEVER_SURE);
  const columns: [name: string, model: ToolModel, read: (engine: SidewallModel, image: RgbImage) => Promise<string | null>][] = [
    ['stock, plain photograph', neverSure, async (engine, image) => stockRead(await engine.scanPlain(image))],
    ['stock, unwrapped', neverSure, async (engine, image) => stockRead(await engine.scan(image))],
    [
      `${model.manifest.name} ${model.manifest.version}`,
      model,
      async (engine, image) => given(sizeIn(linesOf(await engine.scan(image)), engine.limits)?.size),
    ],
  ];
  const labels = (await labelsOf(folder)).filter(({ size }) => size !== '' && size !== 'unreadable');
  for (const [name, requested, read] of columns) {
    const engine = await loadSidewallModel(requested);
    const answers: Answer[] = [];
    for (const { file, size: expected, tireId } of labels) {
      const image = await decoded(join(folder, file), requested);
      answers.push({ expected, actual: image && (await read(engine, image)), tireId });
    }
    process.stdout.write(`${name}: ${tallyLine(tallyOf(answers))}; by tire: ${tallyLine(tallyOf(byTire(answers)))}\n`);
  }
}

async function decoded(file: string, model: ToolModel): Promise<RgbImage | null> {
  try {
    return await decodeImage(await readFile(file), decodeLimits(model));
  } catch (error) {
    if (error instanceof UnusableImage) return null;
    throw error;
  }
}

const given = (size: Parameters<typeof spelledSize>[0] | undefined) => (size ? spelledSize(size) : null);

void main();

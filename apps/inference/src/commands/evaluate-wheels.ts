import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linesOf } from '../domain/sidewall/line-reader';
import { sizeIn } from '../domain/sidewall/measure-sidewall';
import { parseSizeTable } from '../domain/sidewall/size-decoder';
import { tallyLine, tallyOf, type Answered } from '../domain/tally';
import { decodeLimits } from '../engine/model-worker';
import { decodePicture } from '../imaging/decode';
import { loadRepository } from '../models/repository';
import { clearnessOf, LEGIBLE, renderHardWheel } from '../samples/hard-sidewall';
import { lookingModel, spelledSize } from './photographs';

/** Far from the seeds of calibrate-sidewall. */
const FIRST_SEED = 1_000_000;
const EVERY = 100;

/** Rendered wheels that nothing was fitted on: exact, wrong and not read, as in production; all of them, and those that are legible. */
async function main(): Promise<void> {
  const [count, repository = join(__dirname, '../../models'), first = FIRST_SEED] = process.argv.slice(2);
  if (!Number(count)) throw new Error('usage: evaluate-wheels WHEELS [MODEL_REPOSITORY [FIRST_SEED]]');
  const model = (await loadRepository(repository, ['tire.sidewall']))[0]!;
  const engine = await lookingModel(model);
  const sizes = parseSizeTable(await readFile(join(model.folder, model.manifest.tables['sizes']!), 'utf8'));
  const [answers, legible]: [Answered[], Answered[]] = [[], []];
  const report = () => `${tallyLine(tallyOf(answers))}\n  of the legible: ${tallyLine(tallyOf(legible))}\n`;
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    const wheel = await renderHardWheel(seed, sizes);
    const { bytes, size } = wheel;
    const vote = sizeIn(linesOf(await engine.look(await decodePicture(bytes, decodeLimits(model)))), engine.limits);
    const answer = { expected: size ? spelledSize(size) : 'none', given: vote ? spelledSize(vote.size) : null, tireId: '' };
    answers.push(answer);
    if ((await clearnessOf(wheel)) >= LEGIBLE) legible.push(answer);
    if (answers.length % EVERY === 0) process.stdout.write(`${answers.length} wheels: ${report()}`);
  }
  process.stdout.write(`tire.sidewall ${model.manifest.version}: ${report()}`);
}

void main();

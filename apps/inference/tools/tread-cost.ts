import { rangeText } from '@tire/test-harness/bench';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import { Network } from '../src/models/network';
import type { Measured } from '../src/models/outcome';
import { newestModel, loadToolModel } from './models';

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const shown = (values: readonly number[]) => rangeText(values, (value) => value.toFixed(0));

/**
 * Measures the CPU time of an image in the tread model: the network, and the code before and after it. The first round compiles the code; it
 * is not counted, and its outcomes may be written, so that those of two versions can be compared.
 */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { outcomes: { type: 'string' } } });
  const [folder, rounds = '5', repository = join(__dirname, '../models')] = positionals;
  if (!folder) throw new Error('usage: tread-cost FOLDER_OF_IMAGES [ROUNDS [MODEL_REPOSITORY]] [--outcomes FILE]');
  const model = await newestModel(repository, 'tire.tread');
  const loaded = await loadToolModel(model);
  const files = (await readdir(folder)).filter((name) => /\.(jpe?g|png)$/i.test(name)).sort();
  const images = await Promise.all(files.map(async (name) => decodeImage(await readFile(join(folder, name)), decodeLimits(model))));

  let inNetwork = 0;
  const run = Network.prototype.run;
  Network.prototype.run = async function (some) {
    const from = cpuMs();
    const planes = await run.call(this, some);
    inNetwork += cpuMs() - from;
    return planes;
  };
  const [network, code]: number[][] = [[], []];
  for (let round = 0; round <= Number(rounds); round++) {
    inNetwork = 0;
    const from = cpuMs();
    const outcomes: string[] = [];
    for (const [i, image] of images.entries()) {
      const [{ outcome, unseen }] = (await loaded.analyze([image])) as [Measured];
      outcomes.push(JSON.stringify({ file: files[i], outcome, unseen }));
    }
    const all = cpuMs() - from;
    if (round === 0 && values.outcomes) await writeFile(values.outcomes, `${outcomes.join('\n')}\n`);
    if (round === 0) continue;
    network!.push(inNetwork / images.length);
    code!.push((all - inNetwork) / images.length);
  }
  process.stdout.write(`${images.length} images, ms of CPU each: network ${shown(network!)}, code before and after it ${shown(code!)}\n`);
}

void main();

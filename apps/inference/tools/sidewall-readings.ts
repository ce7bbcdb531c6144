import { InferenceSession } from 'onnxruntime-node';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { guessIn, measureSidewall, sizeIn } from '../src/domain/sidewall/measure-sidewall';
import { linesOf, type SidewallScan } from '../src/domain/sidewall/text/line-reader';
import { parseSizeTable } from '../src/domain/sidewall/size/size-decoder';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import type { SidewallModel } from '../src/models/sidewall-model';
import { labelsOf, loadSidewallModel, spelledSize } from './labelled-images';
import { newestModel } from './models';
import { renderHardWheel } from './sidewall/hard-wheel';

/** The wheels of evaluate-wheels. */
const FIRST_SEED = 1_000_000;
const USAGE = 'usage: sidewall-readings FOLDER|WHEELS [MODEL_REPOSITORY] [--rounds ROUNDS] [--rows FILE]';

interface Picture {
  readonly name: string;
  readonly bytes: () => Promise<Buffer>;
}

const cpuMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;

/** CPU of the networks. One image is read at a time, and nothing else runs beside a network. */
let networksMs = 0;
function timeNetworks(): void {
  const create = InferenceSession.create.bind(InferenceSession) as (...of: unknown[]) => Promise<InferenceSession>;
  const timed = async (...of: unknown[]) => {
    const session = await create(...of);
    const run = session.run.bind(session) as (...of: unknown[]) => Promise<InferenceSession.OnnxValueMapType>;
    session.run = async (...inputs: unknown[]) => {
      const began = process.cpuUsage();
      const outputs = await run(...inputs);
      networksMs += cpuMs(process.cpuUsage(began));
      return outputs;
    };
    return session;
  };
  Object.assign(InferenceSession, { create: timed });
}

/** Everything that was read, without times. */
function readingsOf(name: string, scan: SidewallScan, { limits }: SidewallModel) {
  const lines = linesOf(scan);
  const vote = sizeIn(lines, limits);
  const guess = vote ? undefined : guessIn(lines, { ...limits, minGuess: 0 });
  const { measurement, reasons } = measureSidewall(scan, limits, new Date());
  return {
    name,
    ...{ size: vote ? spelledSize(vote.size) : null, confidence: vote?.confidence ?? null },
    ...{ guess: guess ? spelledSize(guess.size) : null, guessConfidence: guess?.confidence ?? null },
    ...{ loadIndex: measurement?.loadIndex ?? null, reasons, ring: scan.ring ?? null },
    passes: scan.passes.map((pass) => ({
      ...{ detections: pass.detections, recognitions: pass.recognitions },
      lines: pass.lines.map(({ decodedText, readings }) => ({
        text: decodedText.text,
        sizes: readings.slice(0, 3).map(({ size, logLikelihood }) => [spelledSize(size), logLikelihood]),
      })),
    })),
  };
}

async function picturesOf(source: string, sizesFile: string): Promise<Picture[]> {
  if (!Number(source)) {
    const labels = (await labelsOf(source)).filter(({ size }) => size !== '' && size !== 'unreadable');
    return labels.map(({ file }) => ({ name: file, bytes: () => readFile(join(source, file)) }));
  }
  const sizes = parseSizeTable(await readFile(sizesFile, 'utf8'));
  const seeds = Array.from({ length: Number(source) }, (_, i) => FIRST_SEED + i);
  return seeds.map((seed) => ({ name: String(seed), bytes: async () => (await renderHardWheel(seed, sizes)).bytes }));
}

/**
 * Writes everything that is read on photographs or rendered wheels, for a comparison of two versions with `diff`, and measures the CPU of an
 * image in the networks and outside of them.
 */
async function main(): Promise<void> {
  const options = { rounds: { type: 'string', default: '1' }, rows: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [source, repository = join(__dirname, '../models')] = positionals;
  if (!source) throw new Error(USAGE);
  timeNetworks();
  const model = await newestModel(repository, 'tire.sidewall');
  const engine = await loadSidewallModel(model);
  const pictures = await picturesOf(source, join(model.folder, model.manifest.tables['sizes']!));
  for (let round = 0; round < Number(values.rounds); round++) {
    const rows: string[] = [];
    let allMs = 0;
    networksMs = 0;
    for (const { name, bytes } of pictures) {
      const image = await decodeImage(await bytes(), decodeLimits(model));
      const began = process.cpuUsage();
      const scan = await engine.scan(image);
      allMs += cpuMs(process.cpuUsage(began));
      rows.push(JSON.stringify(readingsOf(name, scan, engine)));
    }
    const each = (ms: number) => `${(ms / pictures.length).toFixed(0)} ms`;
    console.log(`${pictures.length} images, CPU each: ${each(networksMs)} in networks, ${each(allMs - networksMs)} outside of them`);
    if (values.rows) await writeFile(values.rows, `${rows.join('\n')}\n`);
  }
}

void main();

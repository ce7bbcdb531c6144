import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { guessIn, sizeIn } from '../src/domain/sidewall/measure-sidewall';
import { parseSizeTable } from '../src/domain/sidewall/size/size-decoder';
import { linesOf } from '../src/domain/sidewall/text/line-reader';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import { loadSidewallModel, spelledSize } from './labelled-images';
import { newestModel } from './models';
import { renderHardWheel } from './sidewall/hard-wheel';

/** Of no other tool. */
const FIRST_SEED = 6_000_000;
const LEAST = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

interface Guess {
  readonly size: string;
  readonly confidence: number;
}

interface Pair {
  readonly seed: number;
  readonly expected: string;
  /** Of both photographs; null where nothing like a size was seen. */
  readonly guesses: readonly [Guess | null, Guess | null];
}

/**
 * Measures what a person would be asked: rendered wheels of which two photographs were not read, by the least probability of a guess. A
 * wheel without a size is expected to be `none`.
 */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { rows: { type: 'string' } } });
  const [count, repository = join(__dirname, '../models'), first = FIRST_SEED] = positionals;
  if (!Number(count)) throw new Error('usage: evaluate-guesses WHEELS [MODEL_REPOSITORY [FIRST_SEED]] [--rows FILE]');
  if (values.rows) await writeFile(values.rows, '');
  const model = await newestModel(repository, 'tire.sidewall');
  const engine = await loadSidewallModel(model);
  const sizes = parseSizeTable(await readFile(join(model.folder, model.manifest.tables['sizes']!), 'utf8'));
  const pairs: Pair[] = [];
  let unread = 0;
  /** Undefined where the size was read. */
  const guessOf = async (seed: number, photograph: number): Promise<Guess | null | undefined> => {
    const { bytes } = await renderHardWheel(seed, sizes, 'usual', photograph);
    const lines = linesOf(await engine.scan(await decodeImage(bytes, decodeLimits(model))));
    if (sizeIn(lines, engine.limits)) return undefined;
    const vote = guessIn(lines, { ...engine.limits, minGuess: 0 });
    return vote ? { size: spelledSize(vote.size), confidence: vote.confidence } : null;
  };
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    const one = await guessOf(seed, 0);
    if (one === undefined) continue;
    unread++;
    const other = await guessOf(seed, 1);
    if (other === undefined) continue;
    const { size } = await renderHardWheel(seed, sizes);
    const pair: Pair = { seed, expected: size ? spelledSize(size) : 'none', guesses: [one, other] };
    pairs.push(pair);
    if (values.rows) await appendFile(values.rows, `${JSON.stringify(pair)}\n`);
  }
  console.log(
    `tire.sidewall ${model.manifest.version}: ${unread} of ${count} wheels not read, ${pairs.length} of them in a second photograph either`,
  );
  for (const least of LEAST) {
    const asked = pairs.filter(
      ({ guesses: [one, other] }) => one && one.size === other?.size && Math.min(one.confidence, other.confidence) >= least,
    );
    const right = asked.filter(({ expected, guesses }) => guesses[0]?.size === expected).length;
    console.log(`guesses of ${least} and more: asked for ${asked.length}, right for ${right}`);
  }
}

void main();

import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { linesOf } from '../src/domain/sidewall/text/line-reader';
import { guessIn, sizeIn } from '../src/domain/sidewall/measure-sidewall';
import { parseSizeTable } from '../src/domain/sidewall/size/size-decoder';
import { tallyLine, tallyOf, type Answer } from './sidewall/tally';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import { newestModel } from './models';
import { legibilityOf, LEGIBLE, renderHardWheel } from './sidewall/hard-wheel';
import { isWheelKind, KINDS } from './sidewall/wheel-kinds';
import { loadSidewallModel, spelledSize } from './labelled-images';

/** Far from the seeds of calibrate-sidewall. */
const FIRST_SEED = 1_000_000;
const EVERY = 100;
const USAGE = `usage: evaluate-wheels WHEELS [MODEL_REPOSITORY [FIRST_SEED]] [--kind ${Object.keys(KINDS).join('|')}] [--rows FILE]`;

/** Counts exact, wrong and unread sizes on rendered wheels that nothing was fitted on, for all wheels and for the legible ones. */
async function main(): Promise<void> {
  const options = { kind: { type: 'string', default: 'usual' }, rows: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [count, repository = join(__dirname, '../models'), first = FIRST_SEED] = positionals;
  const { kind, rows } = values;
  if (!Number(count) || !isWheelKind(kind)) throw new Error(USAGE);
  if (rows) await writeFile(rows, '');
  const model = await newestModel(repository, 'tire.sidewall');
  const engine = await loadSidewallModel(model);
  const sizes = parseSizeTable(await readFile(join(model.folder, model.manifest.tables['sizes']!), 'utf8'));
  const [answers, legible]: [Answer[], Answer[]] = [[], []];
  const tally = () => `${tallyLine(tallyOf(answers))}\n  of the legible: ${tallyLine(tallyOf(legible))}\n`;
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    const wheel = await renderHardWheel(seed, sizes, kind);
    const { bytes, size } = wheel;
    const lines = linesOf(await engine.scan(await decodeImage(bytes, decodeLimits(model))));
    const vote = sizeIn(lines, engine.limits);
    const guess = guessIn(lines, { ...engine.limits, minGuess: 0 });
    const answer = { expected: size ? spelledSize(size) : 'none', actual: vote ? spelledSize(vote.size) : null, tireId: '' };
    answers.push(answer);
    const legibility = await legibilityOf(wheel);
    if (legibility >= LEGIBLE) legible.push(answer);
    const read = { confidence: vote?.confidence, guess: guess && spelledSize(guess.size), guessConfidence: guess?.confidence };
    if (rows) await appendFile(rows, `${JSON.stringify({ seed, ...answer, ...read, legibility })}\n`);
    if (answers.length % EVERY === 0) process.stdout.write(`${answers.length} wheels: ${tally()}`);
  }
  process.stdout.write(`tire.sidewall ${model.manifest.version}, ${kind}: ${tally()}`);
}

void main();

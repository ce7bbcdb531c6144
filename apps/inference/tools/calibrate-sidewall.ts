import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { probabilityOf } from '../src/domain/sidewall/size/confidence';
import { linesOf } from '../src/domain/sidewall/text/line-reader';
import { scoreOf } from '../src/domain/sidewall/measure-sidewall';
import { parseSizeTable } from '../src/domain/sidewall/size/size-decoder';
import { decodeLimits } from '../src/engine/model-worker';
import { decodeImage } from '../src/imaging/decode';
import { newestModel } from './models';
import { fitConfidence, leastConfidence, reliabilityOf, type ScoredReading } from './sidewall/confidence-fit';
import { renderHardWheel } from './sidewall/hard-wheel';
import { loadSidewallModel } from './labelled-images';

/** Readings with a lower score do not help to judge those near a threshold. */
const MIN_SCORE = 0.05;
const MAX_WRONG_SHARE = 0.005;
const EVERY = 25;
const print = (line: string) => void process.stdout.write(`${line}\n`);

/** For each wheel, whether the likeliest size is right, and its score. */
async function judgedWheels(count: number, repository: string): Promise<ScoredReading[]> {
  const model = await newestModel(repository, 'tire.sidewall');
  const engine = await loadSidewallModel(model);
  const sizes = parseSizeTable(await readFile(join(model.folder, model.manifest.tables['sizes']!), 'utf8'));
  const judged: ScoredReading[] = [];
  for (let seed = 1; seed <= count; seed++) {
    const { bytes, size } = await renderHardWheel(seed, sizes);
    const vote = scoreOf(linesOf(await engine.scan(await decodeImage(bytes, decodeLimits(model)))));
    const right = JSON.stringify(vote?.size) === JSON.stringify(size);
    if (vote && vote.confidence >= MIN_SCORE) judged.push({ confidence: vote.confidence, right });
    if (seed % EVERY === 0) print(`${seed} wheels, ${judged.length} with a reading, ${judged.filter((one) => one.right).length} right`);
  }
  return judged;
}

function table(title: string, readings: readonly ScoredReading[]): void {
  print(`\n${title}\n| claimed | readings | mean claim | right |\n|---|---|---|---|`);
  for (const { from, count, meanConfidence, rightShare } of reliabilityOf(readings))
    print(`| ${from.toFixed(1)} to ${(from + 0.1).toFixed(1)} | ${count} | ${meanConfidence.toFixed(2)} | ${rightShare.toFixed(2)} |`);
}

/**
 * Fits the calibration line on one half of the wheels and evaluates it on the other. The printed thresholds belong in the manifest, which
 * is then sealed.
 */
async function main(): Promise<void> {
  const [count, repository = join(__dirname, '../models')] = process.argv.slice(2);
  if (!Number(count)) throw new Error('usage: calibrate-sidewall WHEELS [MODEL_REPOSITORY]');
  const judged = await judgedWheels(Number(count), repository);
  const [learnt, kept] = [judged.filter((_, i) => i % 2 === 0), judged.filter((_, i) => i % 2 === 1)];
  const line = fitConfidence(learnt);
  const calibrated = kept.map(({ confidence, right }) => ({ confidence: probabilityOf(confidence, line), right }));
  table('The score as it is, wheels that the line has not seen', kept);
  table('Under the line', calibrated);
  const all = fitConfidence(judged);
  const least = leastConfidence(
    judged.map(({ confidence, right }) => ({ confidence: probabilityOf(confidence, all), right })),
    MAX_WRONG_SHARE,
  );
  const thresholds = { confidence_slope: all.slope, confidence_intercept: all.intercept, min_confidence: least };
  print(`\nFitted on all; at most ${100 * MAX_WRONG_SHARE} % wrong from min_confidence on: ${JSON.stringify(thresholds)}`);
}

void main();

import type { SidewallMeasurement } from '@tire/contracts/events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gaugeTable } from './gauge/table';
import { byTire, verdictOf, tallyLine, tallyOf, type Answer } from './sidewall/tally';
import { OPERATIONS, type Operation } from '../src/models/manifest';
import type { Outcome } from '../src/models/outcome';
import { newestModel, type ToolModel } from './models';
import { answersOf, comparedWithGauge, labelsOf, spelledSize, type Label } from './labelled-images';
import { measuredOf } from './renders/measured';
import { lowestOf, verdictOf as treadVerdictOf } from './renders/verdicts';
import { writeTreadSheet, type Tile } from './renders/tread-sheet';

const print = (...cells: string[]) => void process.stdout.write(`${cells.join('\t')}\n`);

function sizeOf(outcome: Outcome): string | null {
  const size = outcome.kind === 'sidewall' ? outcome.measurement.size : undefined;
  return size ? spelledSize(size) : null;
}

const confidenceOf = (outcome: Outcome): string =>
  outcome.kind === 'error' ? outcome.errorCode : (outcome.measurement.quality?.confidence?.toFixed(2) ?? '');

/** Reasons without a size; load index, date and brand beside it. */
function notesOf(outcome: Outcome): string {
  const measurement: Partial<SidewallMeasurement> = outcome.kind === 'sidewall' ? outcome.measurement : {};
  const { loadIndex, speedSymbol = '', manufactured, brand } = measurement;
  const service = loadIndex ? [`${loadIndex}${speedSymbol}`] : [];
  const made = manufactured ? [`week ${manufactured.week} of ${manufactured.year}`] : [];
  return [...(outcome.reasons ?? []), ...service, ...made, ...(brand ? [brand] : [])].join(', ');
}

async function onSidewalls(labels: readonly Label[], answer: (file: string) => Promise<Outcome>, folder: string): Promise<string> {
  const answers: Answer[] = [];
  for (const { file, size: expected, tireId } of labels) {
    const outcome = await answer(join(folder, file));
    const actual = sizeOf(outcome);
    print(file, expected, actual ?? '-', verdictOf(expected, actual), confidenceOf(outcome), notesOf(outcome));
    answers.push({ expected, actual, tireId });
  }
  const tires = byTire(answers);
  return `${tallyLine(tallyOf(answers))}; by tire: ${tallyLine(tallyOf(tires))}`;
}

/** The lowest depth with its interval, the share of the width in bald zones, and the verdict that content would give. */
function factsOf(outcome: Outcome): string[] {
  const measured = measuredOf(outcome, () => 0);
  if (!measured) return (outcome.reasons ?? []).map(String);
  const { depthMm, intervalMm } = lowestOf(measured.grooves) ?? {};
  const interval = intervalMm ? ` (${intervalMm.map((mm) => mm.toFixed(1)).join(' to ')})` : '';
  const bald = measured.baldShare === undefined ? '' : `bald ${Math.round(100 * measured.baldShare)} %`;
  const unseen = outcome.kind === 'tread' ? (outcome.measurement.unseen?.parts ?? []) : [];
  return [
    `${depthMm?.toFixed(1) ?? '-'} mm${interval}`,
    measured.wornSmooth ? 'worn smooth' : bald,
    treadVerdictOf(measured) ?? '',
    unseen.map(({ place, reason }) => `${place} ${reason}`).join(', '),
  ];
}

async function onTreads(
  labels: readonly Label[],
  answer: (file: string) => Promise<Outcome>,
  folder: string,
  sheet?: string,
): Promise<string> {
  const tiles: Tile[] = [];
  const tally = { right: 0, wrong: 0, none: 0, certainty: 0, sureRight: 0 };
  for (const { file, grooves, certainty } of labels) {
    const outcome = await answer(join(folder, file));
    tiles.push({ file: join(folder, file), outcome });
    const actual = outcome.kind === 'tread' ? String(outcome.measurement.grooveMasks.length) : undefined;
    // A tread without a straight groove has nothing to measure: a refusal is right.
    const right = actual === grooves || (actual === undefined && grooves === '0');
    tally[right ? 'right' : actual === undefined ? 'none' : 'wrong']++;
    if (certainty !== 'low') tally.certainty++;
    if (certainty !== 'low' && right) tally.sureRight++;
    print(file, grooves, actual ?? '-', right ? 'right' : actual === undefined ? 'none' : 'WRONG', ...factsOf(outcome));
  }
  if (sheet) await writeTreadSheet(tiles, sheet);
  return JSON.stringify(tally);
}

async function onLabels(model: ToolModel, folder: string, operation: Operation, sheet?: string): Promise<void> {
  const all = await labelsOf(folder);
  const isTread = operation === 'tire.tread';
  const labels = all.filter(({ size, grooves }) => (isTread ? grooves !== '' : size !== '' && size !== 'unreadable'));
  const answer = await answersOf(model);
  const cpuBefore = process.cpuUsage();
  const summary = await (isTread ? onTreads : onSidewalls)(labels, answer, folder, sheet);
  const cpu = process.cpuUsage(cpuBefore);
  const cpuSeconds = (cpu.user + cpu.system) / 1e6 / Math.max(1, labels.length);
  process.stdout.write(`${operation} ${model.manifest.version}: ${summary}; ${cpuSeconds.toFixed(2)} s of CPU an image\n`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { sheet: { type: 'string' } },
  });
  const [folder, repository = join(__dirname, '../models'), only] = positionals;
  if (!folder)
    throw new Error('usage: evaluate FOLDER [--sheet FILE] [MODEL_REPOSITORY [OPERATION]]; in the folder labels.tsv, gauge.csv, or both');
  const newest = (operation: Operation) => newestModel(repository, operation);
  if (existsSync(join(folder, 'labels.tsv')))
    for (const operation of OPERATIONS.filter((operation) => !only || operation === only))
      await onLabels(await newest(operation), folder, operation, values.sheet);
  if (existsSync(join(folder, 'gauge.csv'))) process.stdout.write(gaugeTable(await comparedWithGauge(await newest('tire.tread'), folder)));
}

void main();

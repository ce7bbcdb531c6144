import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gaugeReport } from '../domain/gauge/report';
import { OPERATIONS, type Operation } from '../models/manifest';
import type { Outcome } from '../models/outcome';
import { loadRepository, type ModelFolder } from '../models/repository';
import { answersOf, comparedWithGauge } from './photographs';

interface Label {
  readonly file: string;
  readonly size: string;
  readonly grooves: string;
  readonly sureness: string;
}

/** Rows of a labels.tsv: file, label_size, ..., grooves, groove_confidence. */
async function labelsOf(folder: string): Promise<Label[]> {
  const [head, ...rows] = (await readFile(join(folder, 'labels.tsv'), 'utf8')).trim().split('\n');
  const column = (name: string) => head!.split('\t').indexOf(name);
  const [file, size, grooves, sureness] = ['file', 'label_size', 'grooves', 'groove_confidence'].map(column);
  return rows
    .map((row) => row.split('\t'))
    .map((cells) => ({ file: cells[file!]!, size: cells[size!]!, grooves: cells[grooves!]!, sureness: cells[sureness!]! }));
}

const answerOf = (outcome: Outcome): string => {
  switch (outcome.kind) {
    case 'error':
      return outcome.errorCode;
    case 'tread':
      return String(outcome.measurement.grooveMasks.length);
    case 'sidewall': {
      const size = outcome.measurement.size;
      return size ? `${size.sectionWidthMm}/${size.aspectRatioPercent}R${size.rimDiameterInch}` : 'no size';
    }
  }
};

async function onLabels(model: ModelFolder, folder: string, operation: Operation): Promise<void> {
  const answer = await answersOf(model);
  const cpuBefore = process.cpuUsage();
  const tally = { right: 0, wrong: 0, none: 0, sure: 0, sureRight: 0 };
  for (const label of await labelsOf(folder)) {
    const expected = operation === 'tire.tread' ? label.grooves : label.size;
    if (!expected || expected === 'unreadable') continue;
    const outcome = await answer(join(folder, label.file));
    const given = answerOf(outcome);
    // A tread without a straight groove has nothing to measure: refusing it is right.
    const right = given === expected || (expected === '0' && given === 'tread_not_found');
    const none = !right && (outcome.kind === 'error' || given === 'no size');
    tally[right ? 'right' : none ? 'none' : 'wrong']++;
    if (label.sureness !== 'low') tally.sure++;
    if (label.sureness !== 'low' && right) tally.sureRight++;
    process.stdout.write(`${label.file}\t${expected}\t${given}\t${right ? 'right' : none ? 'none' : 'WRONG'}\n`);
  }
  const cpu = process.cpuUsage(cpuBefore);
  const cpuSeconds = (cpu.user + cpu.system) / 1e6 / Math.max(1, tally.right + tally.wrong + tally.none);
  process.stdout.write(`${operation} ${model.manifest.version}: ${JSON.stringify(tally)}, ${cpuSeconds.toFixed(2)} s of CPU a picture\n`);
}

async function main(): Promise<void> {
  const [folder, repository = join(__dirname, '../../models'), only] = process.argv.slice(2);
  if (!folder) throw new Error('usage: evaluate FOLDER [MODEL_REPOSITORY [OPERATION]]; in the folder labels.tsv, gauge.csv, or both');
  const newest = async (operation: Operation) => (await loadRepository(repository, [operation]))[0]!;
  if (existsSync(join(folder, 'labels.tsv')))
    for (const operation of OPERATIONS.filter((operation) => !only || operation === only))
      await onLabels(await newest(operation), folder, operation);
  if (existsSync(join(folder, 'gauge.csv'))) process.stdout.write(gaugeReport(await comparedWithGauge(await newest('tire.tread'), folder)));
}

void main();

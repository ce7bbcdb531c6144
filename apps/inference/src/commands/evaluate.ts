import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeLimits } from '../engine/model-worker';
import { decodePicture, UnusableImage } from '../imaging/decode';
import { loadModel } from '../models/load-model';
import { OPERATIONS, type Operation } from '../models/manifest';
import type { Outcome } from '../models/outcome';
import { loadRepository } from '../models/repository';

const ON_CPU = { asked: ['cpu'], fallback: false } as const;

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

async function evaluate(folder: string, operation: Operation): Promise<void> {
  const [model] = await loadRepository(join(__dirname, '../../models'), [operation]);
  const loaded = await loadModel(model!, ON_CPU);
  const tally = { right: 0, wrong: 0, none: 0, sure: 0, sureRight: 0 };
  for (const label of await labelsOf(folder)) {
    const expected = operation === 'tire.tread' ? label.grooves : label.size;
    if (!expected || expected === 'unreadable') continue;
    const outcome = await measured(join(folder, label.file));
    const answer = answerOf(outcome);
    // A tread without a straight groove has nothing to measure: refusing it is right.
    const right = answer === expected || (expected === '0' && answer === 'tread_not_found');
    const none = !right && (outcome.kind === 'error' || answer === 'no size');
    tally[right ? 'right' : none ? 'none' : 'wrong']++;
    if (label.sureness !== 'low') tally.sure++;
    if (label.sureness !== 'low' && right) tally.sureRight++;
    process.stdout.write(`${label.file}\t${expected}\t${answer}\t${right ? 'right' : none ? 'none' : 'WRONG'}\n`);
  }
  process.stdout.write(`${operation}: ${JSON.stringify(tally)}\n`);

  async function measured(file: string): Promise<Outcome> {
    try {
      const picture = await decodePicture(await readFile(file), decodeLimits(model!));
      return (await loaded.analyze([picture]))[0]!.outcome;
    } catch (error) {
      if (error instanceof UnusableImage) return { kind: 'error', errorCode: error.errorCode };
      throw error;
    }
  }
}

async function main(): Promise<void> {
  const folder = process.argv[2];
  if (!folder) throw new Error('usage: evaluate FOLDER_WITH_labels.tsv');
  for (const operation of OPERATIONS) await evaluate(folder, operation);
}

void main();

import type { TireSize } from '@tire/contracts/events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { groovesAcross, type Shown } from './gauge/across';
import type { Compared } from './gauge/errors';
import { readingsOf } from './gauge/readings';
import { decodeLimits } from '../src/engine/model-worker';
import { UnusableImage } from '@tire/platform/images';
import { decodeImage } from '../src/imaging/decode';
import { loadToolModel, type ToolModel } from './models';
import type { Measured, Outcome } from '../src/models/outcome';
import { ModelFault } from '../src/models/repository';
import { SidewallModel } from '../src/models/sidewall-model';

export interface Label {
  readonly file: string;
  readonly size: string;
  readonly tireId: string;
  readonly grooves: string;
  readonly certainty: string;
}

/** Rows of a labels.tsv: file, label_size (`unreadable`, or `none` without a sidewall), tire_id, grooves, groove_confidence. */
export async function labelsOf(folder: string): Promise<Label[]> {
  const [head, ...rows] = (await readFile(join(folder, 'labels.tsv'), 'utf8')).trimEnd().split(/\r?\n/);
  const names = head!.split('\t');
  return rows.map((row) => {
    const cells = row.split('\t');
    const cell = (name: string) => cells[names.indexOf(name)]?.trim() ?? '';
    const [size, tireId] = [cell('label_size'), cell('tire_id')];
    return { file: cell('file'), size, tireId, grooves: cell('grooves'), certainty: cell('groove_confidence') };
  });
}

/** The size as labels.tsv writes it. */
export const spelledSize = ({ sectionWidthMm, aspectRatioPercent, rimDiameterInch }: TireSize): string =>
  `${sectionWidthMm}/${aspectRatioPercent}R${rimDiameterInch}`;

/** Returns the results of production for files. */
export async function answersOf(model: ToolModel): Promise<(file: string) => Promise<Outcome>> {
  const measure = await measuring(model);
  return async (file) => (await measure(file)).outcome;
}

/** The same, with what decides which parts of a tread were not seen. */
export async function measuring(model: ToolModel): Promise<(file: string) => Promise<Pick<Measured, 'outcome' | 'unseen'>>> {
  const loaded = await loadToolModel(model);
  return async (file) => {
    try {
      const image = await decodeImage(await readFile(file), decodeLimits(model));
      return (await loaded.analyze([image]))[0]!;
    } catch (error) {
      if (error instanceof UnusableImage) return { outcome: { kind: 'error', errorCode: error.errorCode } };
      throw error;
    }
  };
}

/** Loads a sidewall model, whose scans can be inspected. */
export async function loadSidewallModel(model: ToolModel): Promise<SidewallModel> {
  const loaded = await loadToolModel(model);
  if (loaded instanceof SidewallModel) return loaded;
  throw new ModelFault(model.folder, 'is not a sidewall model');
}

/** Every image of the folder's gauge.csv, with gauge readings and measurements. */
export async function comparedWithGauge(model: ToolModel, folder: string): Promise<Compared[]> {
  const answer = await answersOf(model);
  const compared: Compared[] = [];
  for (const [name, gaugeMm] of readingsOf(await readFile(join(folder, 'gauge.csv'), 'utf8'))) {
    const file = join(folder, name);
    const outcome = await answer(file);
    const grooves = outcome.kind === 'tread' ? groovesAcross(outcome.measurement, await shown(file)) : null;
    const measuredMm = grooves?.map(({ depthMm }) => depthMm) ?? null;
    const intervalsMm = grooves?.map(({ intervalMm }) => intervalMm) ?? null;
    compared.push({ file: name, gaugeMm, measuredMm, intervalsMm });
  }
  return compared;
}

async function shown(file: string): Promise<Shown> {
  const { width, height, orientation = 1 } = await sharp(await readFile(file)).metadata();
  return { width, height, orientation };
}

import { POSITIONS, type Slot } from '@tire/kernel';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderSidewall, type SidewallScene } from './sidewall-sample';

type Position = Slot['position'];

/** The output of `training/render_samples.py`: one tread for each position, and its true depths. */
const TREADS = join(__dirname, '../../assets/samples');

const SIDEWALLS: Record<Position, SidewallScene> = {
  front_left: { seed: 21, size: '225/45R17', placeDeg: 0, spokes: 5 },
  front_right: { seed: 22, size: '225/45R17', placeDeg: 35, spokes: 6 },
  rear_left: { seed: 23, size: '225/45R17', placeDeg: -50, spokes: 7 },
  rear_right: { seed: 24, size: '225/45R17', placeDeg: 110, spokes: 10 },
};

export interface Sample {
  readonly slot: Slot;
  readonly file: string;
  /** The truth: depths from left to right, or the size. */
  readonly truth: { readonly depthsMm: readonly number[] } | { readonly size: string };
}

/** Eight images of an imaginary car, one for each slot; the same bytes on every run. */
export async function renderSamples(outDir: string): Promise<Sample[]> {
  await mkdir(outDir, { recursive: true });
  const depths = JSON.parse(await readFile(join(TREADS, 'truth.json'), 'utf8')) as Record<Position, { depthsMm: number[] }>;
  const samples: Sample[] = [];
  for (const position of POSITIONS) {
    const [tread, sidewall] = [await readFile(join(TREADS, `${position}.jpg`)), SIDEWALLS[position]];
    samples.push(await save(outDir, { position, image_type: 'tread' }, tread, depths[position]));
    samples.push(await save(outDir, { position, image_type: 'sidewall' }, await renderSidewall(sidewall), { size: sidewall.size }));
  }
  return samples;
}

async function save(outDir: string, slot: Slot, bytes: Buffer, truth: Sample['truth']): Promise<Sample> {
  const file = join(outDir, `${slot.image_type}-${slot.position}.jpg`);
  await writeFile(file, bytes);
  return { slot, file, truth };
}

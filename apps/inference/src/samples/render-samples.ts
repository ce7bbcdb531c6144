import { POSITIONS, type Slot } from '@tire/kernel';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderSidewall, type SidewallScene } from './sidewall-sample';
import { renderTread, type TreadScene } from './tread-sample';

const TREADS: Record<Slot['position'], TreadScene> = {
  front_left: { seed: 11, depthsMm: [6.6, 6.9, 6.8, 6.5], tiltDeg: 4 },
  front_right: { seed: 12, depthsMm: [4.6, 4.8, 4.7, 4.5], tiltDeg: -6 },
  rear_left: { seed: 13, depthsMm: [3.3, 3.5, 3.4], tiltDeg: 9 },
  rear_right: { seed: 14, depthsMm: [2.0, 2.2, 2.1, 1.9], tiltDeg: -3 },
};

const SIDEWALLS: Record<Slot['position'], SidewallScene> = {
  front_left: { seed: 21, size: '225/45R17', placeDeg: 0, spokes: 5 },
  front_right: { seed: 22, size: '225/45R17', placeDeg: 35, spokes: 6 },
  rear_left: { seed: 23, size: '225/45R17', placeDeg: -50, spokes: 7 },
  rear_right: { seed: 24, size: '225/45R17', placeDeg: 110, spokes: 10 },
};

export interface Sample {
  readonly slot: Slot;
  readonly file: string;
  /** What was drawn: depths from left to right, or the size. */
  readonly truth: { readonly depthsMm: readonly number[] } | { readonly size: string };
}

/** Eight photographs of a car that does not exist, one a slot: the same bytes on every run. */
export async function renderSamples(outDir: string): Promise<Sample[]> {
  await mkdir(outDir, { recursive: true });
  const samples: Sample[] = [];
  for (const position of POSITIONS) {
    const [tread, sidewall] = [TREADS[position], SIDEWALLS[position]];
    samples.push(await save(outDir, { position, image_type: 'tread' }, await renderTread(tread), { depthsMm: tread.depthsMm }));
    samples.push(await save(outDir, { position, image_type: 'sidewall' }, await renderSidewall(sidewall), { size: sidewall.size }));
  }
  return samples;
}

async function save(outDir: string, slot: Slot, bytes: Buffer, truth: Sample['truth']): Promise<Sample> {
  const file = join(outDir, `${slot.image_type}-${slot.position}.jpg`);
  await writeFile(file, bytes);
  return { slot, file, truth };
}

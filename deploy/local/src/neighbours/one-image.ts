import type { RegisterImagesResponse } from '@tire/contracts/api';
import type { Slot } from '@tire/kernel';
import { median } from '@tire/test-harness/bench';
import { PartnerClient, upload } from '../client';
import type { Caller, NeighbourResult, NeighbourWorld } from './neighbour';
import { reportEnded, type Ended } from './timing';

export interface Image {
  readonly slot: Slot;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const sameSlot = (one: Slot, other: Slot): boolean => one.position === other.position && one.image_type === other.image_type;

export const sampleOf = (world: NeighbourWorld, imageType: Slot['image_type']): Image =>
  world.samples.find(({ slot }) => slot.image_type === imageType)!;

/** A report with these images, whose analysis begins now. Resolves when they are registered. */
export async function registered(world: NeighbourWorld, caller: Caller, images: readonly Image[]) {
  const client = new PartnerClient(world.stack, caller.key);
  const { report_id: reportId, upload_targets: targets = [] } = await client.create({ template: 'tire_4t_4s' });
  const wanted = targets.filter(({ slot }) => images.some((image) => sameSlot(image.slot, slot)));
  await Promise.all(
    wanted.map((target) =>
      upload(
        target,
        images.map((image) => ({ ...image, path: '' })),
      ),
    ),
  );
  const beganMs = performance.now();
  await client.json<RegisterImagesResponse>('POST', `/reports/${reportId}/images`, {
    images: wanted.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot })),
  });
  return { client, reportId, beganMs };
}

/** Measures from the registration of the images to the end of their analysis. */
export async function analyzed(world: NeighbourWorld, caller: Caller, images: readonly Image[]): Promise<Ended> {
  const { client, reportId, beganMs } = await registered(world, caller, images);
  return reportEnded(client, reportId, beganMs);
}

interface Measurement {
  readonly imageType: Slot['image_type'];
  readonly rounds: number;
  /** The images of the attacker, all in one report. */
  readonly attack: readonly Image[];
}

/** One image of the victim after the other: first alone, then from the registration of the attack on. */
export async function measureBeside(world: NeighbourWorld, { imageType, rounds, attack }: Measurement): Promise<NeighbourResult> {
  const measureOne = () => analyzed(world, world.victim, [sampleOf(world, imageType)]);
  const measured = async (): Promise<Ended[]> => {
    const all: Ended[] = [];
    while (all.length < rounds) all.push(await measureOne());
    return all;
  };
  await measureOne();
  const alone = await measured();
  const { client, reportId, beganMs } = await registered(world, world.attacker, attack);
  const beside = await measured();
  await reportEnded(client, reportId, beganMs);
  return {
    aloneMs: median(alone.map(({ ms }) => ms)),
    besideMs: median(beside.map(({ ms }) => ms)),
    goal: 2,
    failedForVictim: beside.reduce((sum, { failedSlots }) => sum + failedSlots, 0),
  };
}

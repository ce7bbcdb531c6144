import type { RegisterImagesResponse } from '@tire/contracts/api';
import type { Slot } from '@tire/kernel';
import { PartnerClient, upload } from '../client';
import type { Caller, NeighbourWorld } from './neighbour';
import { reportEnded, type Ended } from './timing';

interface Image {
  readonly slot: Slot;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const sameSlot = (one: Slot, other: Slot): boolean => one.position === other.position && one.image_type === other.image_type;

export const sampleOf = (world: NeighbourWorld, imageType: Slot['image_type']): Image =>
  world.samples.find(({ slot }) => slot.image_type === imageType)!;

/** A report with these images, whose analysis begins now. Resolves when they are registered. */
export async function register(world: NeighbourWorld, caller: Caller, images: readonly Image[]) {
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

/** From the registration of one image to its result. */
export async function measureOne(world: NeighbourWorld, imageType: Slot['image_type']): Promise<Ended> {
  const { client, reportId, beganMs } = await register(world, world.victim, [sampleOf(world, imageType)]);
  return reportEnded(client, reportId, beganMs);
}

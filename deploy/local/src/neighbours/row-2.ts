import { ALL_SLOTS, type Slot } from '@tire/kernel';
import { median } from '@tire/test-harness/bench';
import { PartnerClient } from '../client';
import { serveImages } from '../listeners';
import type { NeighbourRow, NeighbourWorld } from './neighbour';
import { reportEnded, type Ended } from './timing';

const REPORTS = 300;
const AT_ONCE = 16;
const ROUNDS = 3;

const imageOf = (slot: Slot, url: string) => ({ module_type: 'tire', slot, source: { url } });

/** Measures from the creation of a report with one tread by URL to its result. */
async function measureTread(world: NeighbourWorld): Promise<Ended> {
  const client = new PartnerClient(world.stack, world.victim.key);
  const { slot, path } = world.samples.find((sample) => sample.slot.image_type === 'tread')!;
  const beganMs = performance.now();
  const created = await client.create({ template: 'tire_4t_0s', images: [imageOf(slot, `${world.imagesOrigin}${path}`)] });
  return reportEnded(client, created.report_id, beganMs);
}

async function attack(world: NeighbourWorld): Promise<void> {
  const client = new PartnerClient(world.stack, world.attacker.key);
  let left = REPORTS;
  const creator = async () => {
    while (left-- > 0) {
      // The creation does not judge ports; the fetch refuses this one before it looks up the name.
      const images = ALL_SLOTS.map((slot, index) => imageOf(slot, `https://images.example:8443/${left}-${index}.jpg`));
      await client.create({ template: 'tire_4t_4s', images });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, creator));
}

export const row: NeighbourRow = {
  number: 2,
  attack: '300 reports, each with 8 addresses that are forbidden',
  prepare: async (world) => () => attack(world),
  async measure(world) {
    const stopImages = await serveImages(world.stack, world.samples);
    try {
      await measureTread(world);
      const alone: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) alone.push((await measureTread(world)).ms);
      const beside: Ended[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await attack(world);
        beside.push(await measureTread(world));
      }
      return {
        aloneMs: median(alone),
        besideMs: median(beside.map(({ ms }) => ms)),
        goal: 2,
        failedForVictim: beside.reduce((sum, { failedSlots }) => sum + failedSlots, 0),
      };
    } finally {
      await stopImages();
    }
  },
};

import { ALL_SLOTS } from '@tire/kernel';
import { END, header, pixels, png } from '@tire/test-harness';
import type { NeighbourRow, NeighbourWorld } from './neighbour';
import { measureOne, register } from './one-image';
import { watchTree } from './process-tree';
import { median, reportEnded } from './timing';

const WIDTH_PX = 10_000;
const HEIGHT_PX = 6_000;
const BYTES_PER_PIXEL = 8;
const ROUNDS = 5;

/** 466 KB whose decode takes 560 MiB. */
function bomb(): Uint8Array<ArrayBuffer> {
  const rows = pixels(WIDTH_PX * HEIGHT_PX * BYTES_PER_PIXEL + 2 * HEIGHT_PX);
  return new Uint8Array(png(header(WIDTH_PX, HEIGHT_PX, { depth: 16, colour: 6, interlace: 1 }), rows, END));
}

async function attack(world: NeighbourWorld): Promise<() => Promise<unknown>> {
  const bytes = bomb();
  const { client, reportId, beganMs } = await register(
    world,
    world.attacker,
    ALL_SLOTS.map((slot) => ({ slot, bytes })),
  );
  return () => reportEnded(client, reportId, beganMs);
}

export const row: NeighbourRow = {
  number: 3,
  attack: 'eight PNG of 466 KB, each interlaced, of 16 bits and 60 megapixels',
  async measure(world) {
    await measureOne(world, 'tread');
    const alone: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) alone.push((await measureOne(world, 'tread')).ms);
    const memory = watchTree(() => world.pids['inference']!);
    const attackEnded = await attack(world);
    const beside = [];
    for (let round = 0; round < ROUNDS; round += 1) beside.push(await measureOne(world, 'tread'));
    await attackEnded();
    return {
      aloneMs: median(alone),
      besideMs: median(beside.map(({ ms }) => ms)),
      goal: 2,
      failedForVictim: beside.reduce((sum, { failedSlots }) => sum + failedSlots, 0),
      memory: { mib: await memory.stop(), limitMib: await world.limitMib('inference') },
    };
  },
};

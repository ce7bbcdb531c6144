import { ALL_SLOTS } from '@tire/kernel';
import { END, header, pixels, png } from '@tire/test-harness';
import type { NeighbourRow } from './neighbour';
import { analyzed, measureBeside, type Image } from './one-image';
import { watchTrees } from './process-tree';

const WIDTH_PX = 10_000;
const HEIGHT_PX = 6_000;
const BYTES_PER_PIXEL = 8;
const ROUNDS = 5;

/** Each has 466 KB, and its decode takes 560 MiB. */
function bombs(): Image[] {
  const rows = pixels(WIDTH_PX * HEIGHT_PX * BYTES_PER_PIXEL + 2 * HEIGHT_PX);
  const bytes = new Uint8Array(png(header(WIDTH_PX, HEIGHT_PX, { depth: 16, colour: 6, interlace: 1 }), rows, END));
  return ALL_SLOTS.map((slot) => ({ slot, bytes }));
}

export const row: NeighbourRow = {
  number: 3,
  attack: 'eight PNG of 466 KB, each interlaced, of 16 bits and 60 megapixels',
  async prepare(world) {
    const attack = bombs();
    return () => analyzed(world, world.attacker, attack);
  },
  async measure(world) {
    const attack = bombs();
    const memory = watchTrees(() => ({ inference: world.pids['inference']! }));
    const times = await measureBeside(world, { imageType: 'tread', rounds: ROUNDS, attack });
    return { ...times, memory: { mib: (await memory.stop())['inference']!, limitMib: await world.limitMib('inference') } };
  },
};

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { NeighbourRow, NeighbourWorld } from './neighbour';
import { analyzed, measureBeside, type Image } from './one-image';

const LOAD_PER_CORE = 2;
const ROUNDS = 3;
const ODD_IMAGES = 2;

/** Programs that take as much of the machine as they get. */
function loadMachine(): () => void {
  const burning = Array.from({ length: LOAD_PER_CORE * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return () => burning.forEach((one) => one.kill('SIGKILL'));
}

/** Treads in the slots of sidewalls: the model looks for text until it has tried everything. */
const oddImages = ({ samples }: NeighbourWorld): Image[] =>
  samples
    .filter(({ slot }) => slot.image_type === 'tread')
    .slice(0, ODD_IMAGES)
    .map(({ slot, bytes }) => ({ slot: { ...slot, image_type: 'sidewall' }, bytes }));

export const row: NeighbourRow = {
  number: 4,
  attack: 'two treads in slots of sidewalls, on a machine loaded to three times its cores',
  prepare: async (world) => () => analyzed(world, world.attacker, oddImages(world)),
  async measure(world) {
    const stopLoad = loadMachine();
    try {
      return await measureBeside(world, { imageType: 'sidewall', rounds: ROUNDS, attack: oddImages(world) });
    } finally {
      stopLoad();
    }
  },
};

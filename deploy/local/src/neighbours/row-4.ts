import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { NeighbourRow, NeighbourWorld } from './neighbour';
import { measureOne, register } from './one-image';
import { median, reportEnded } from './timing';

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
async function attack(world: NeighbourWorld): Promise<() => Promise<unknown>> {
  const images = world.samples
    .filter(({ slot }) => slot.image_type === 'tread')
    .slice(0, ODD_IMAGES)
    .map(({ slot, bytes }) => ({ slot: { ...slot, image_type: 'sidewall' as const }, bytes }));
  const { client, reportId, beganMs } = await register(world, world.attacker, images);
  return () => reportEnded(client, reportId, beganMs);
}

export const row: NeighbourRow = {
  number: 4,
  attack: 'two treads in slots of sidewalls, on a machine loaded to three times its cores',
  async measure(world) {
    const stopLoad = loadMachine();
    try {
      await measureOne(world, 'sidewall');
      const alone: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) alone.push((await measureOne(world, 'sidewall')).ms);
      const attackEnded = await attack(world);
      const beside = [];
      for (let round = 0; round < ROUNDS; round += 1) beside.push(await measureOne(world, 'sidewall'));
      await attackEnded();
      return {
        aloneMs: median(alone),
        besideMs: median(beside.map(({ ms }) => ms)),
        goal: 2,
        failedForVictim: beside.reduce((sum, { failedSlots }) => sum + failedSlots, 0),
      };
    } finally {
      stopLoad();
    }
  },
};

import { randomUUID } from 'node:crypto';
import { PartnerClient } from '../client';
import { Attacker } from './attacker';
import type { NeighbourRow, NeighbourWorld } from './neighbour';
import { medianOf } from './timing';

const CREATIONS = 300;
const READS_ALONE = 100;

/** Creations of one inspection at once. All get the same report, or an answer with `Retry-After`. */
async function attack({ stack, attacker }: NeighbourWorld): Promise<string[]> {
  const client = new PartnerClient(stack, attacker.key);
  const body = { template: 'tire_4t_0s', external_inspection_id: randomUUID() };
  return Promise.all(
    Array.from({ length: CREATIONS }, async () => {
      const answer = await client.call('POST', '/reports', body);
      const { report_id, error } = (await answer.json()) as { report_id?: string; error?: { code: string } };
      return report_id ?? `${answer.status} ${error?.code}`;
    }),
  );
}

export const row: NeighbourRow = {
  number: 9,
  attack: `${CREATIONS} creations of one inspection at once`,
  prepare: async (world) => () => attack(world),
  async measure(world) {
    const client = new PartnerClient(world.stack, world.victim.key);
    const { report_id } = await client.create({ template: 'tire_4t_0s' });
    const isRead = async () => (await client.call('GET', `/reports/${report_id}`)).ok;
    await medianOf(READS_ALONE, isRead);
    const alone = await medianOf(READS_ALONE, isRead);
    const attacker = await Attacker.start(row, world);
    let running = true;
    const answers = attacker.round().finally(() => (running = false));
    const beside = await medianOf(Infinity, isRead, () => running);
    attacker.stop();
    console.log(`${beside.times} reads in ${((beside.meanMs * beside.times) / 1_000).toFixed(1)} s of the attack`);
    const counts = new Map<string, number>();
    for (const answer of (await answers) as string[]) counts.set(answer, (counts.get(answer) ?? 0) + 1);
    console.log(`Answers to the attacker: ${[...counts].map(([answer, count]) => `${count} x ${answer}`).join(', ')}`);
    // The mean: a wait of seconds for a few reads counts.
    return { aloneMs: alone.meanMs, besideMs: beside.meanMs, goal: 2, failedForVictim: beside.failed };
  },
};

import type { UploadTarget } from '@tire/contracts/api';
import { median } from '@tire/test-harness/bench';
import { PartnerClient, upload } from '../client';
import type { NeighbourRow, NeighbourWorld } from './neighbour';

const ROUNDS = 5;
const REGISTRATIONS = 12;
const ATTACK_BYTES = 10 * 1024 * 1024;
/** The attack is under way when the victim registers. */
const HEAD_START_MS = 100;

const bodyOf = (targets: readonly UploadTarget[]) => ({
  images: targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot })),
});

/** The time of the registration of one tread, and whether it succeeded. */
async function registered(world: NeighbourWorld): Promise<{ ms: number; failed: number }> {
  const client = new PartnerClient(world.stack, world.victim.key);
  const { report_id, upload_targets = [] } = await client.create({ template: 'tire_4t_0s' });
  await upload(upload_targets[0]!, world.samples);
  const beganMs = performance.now();
  const { status } = await client.call('POST', `/reports/${report_id}/images`, bodyOf(upload_targets.slice(0, 1)));
  return { ms: performance.now() - beganMs, failed: status === 202 ? 0 : 1 };
}

/** Seven large images, and one slot without an upload. */
async function prepared(world: NeighbourWorld): Promise<() => Promise<Response[]>> {
  const client = new PartnerClient(world.stack, world.attacker.key);
  const { report_id, upload_targets = [] } = await client.create({ template: 'tire_4t_4s' });
  const large = new Uint8Array(ATTACK_BYTES);
  large.set(world.samples[0]!.bytes);
  for (const { upload_url, required_headers } of upload_targets.slice(0, -1))
    await fetch(upload_url, { method: 'PUT', headers: { 'content-type': 'image/jpeg', ...required_headers }, body: large });
  const registration = () => client.call('POST', `/reports/${report_id}/images`, bodyOf(upload_targets));
  return () => Promise.all(Array.from({ length: REGISTRATIONS }, registration));
}

export const row: NeighbourRow = {
  number: 6,
  attack: '12 registrations at once, each of seven images of 10 MB and an empty slot, all refused',
  prepare: prepared,
  async measure(world) {
    const attack = await prepared(world);
    await registered(world);
    const alone: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) alone.push((await registered(world)).ms);
    const beside: { ms: number; failed: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const attackEnded = attack();
      await new Promise((resolve) => setTimeout(resolve, HEAD_START_MS));
      beside.push(await registered(world));
      await attackEnded;
    }
    return {
      aloneMs: median(alone),
      besideMs: median(beside.map(({ ms }) => ms)),
      goal: 2,
      failedForVictim: beside.reduce((sum, { failed }) => sum + failed, 0),
      memory: { mib: await world.peakRssMib('assets'), limitMib: await world.limitMib('assets') },
    };
  },
};

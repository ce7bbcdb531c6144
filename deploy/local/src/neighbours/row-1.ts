import { median } from '@tire/test-harness/bench';
import { setTimeout as pause } from 'node:timers/promises';
import type { RegisterImagesResponse, UploadTarget } from '@tire/contracts/api';
import { PartnerClient, upload } from '../client';
import type { NeighbourRow, NeighbourWorld } from './neighbour';
import { reportEnded, type Ended } from './timing';

const REGISTRATIONS = 25;
const REGISTRATIONS_WITHIN_MS = 2_500;
const ROUNDS = 3;

/** Creates a report with one tread, which waits to be registered. */
async function uploadedTread(client: PartnerClient, { samples }: NeighbourWorld) {
  const { report_id, upload_targets = [] } = await client.create({ template: 'tire_4t_0s' });
  const target = upload_targets[0]!;
  await upload(target, samples);
  return { reportId: report_id, target };
}

const register = (client: PartnerClient, reportId: string, targets: readonly UploadTarget[], replace = false) =>
  client.json<RegisterImagesResponse>('POST', `/reports/${reportId}/images${replace ? '?replace=true' : ''}`, {
    images: targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot })),
  });

/** Measures from the registration of one tread to its result. */
async function measureTread(world: NeighbourWorld): Promise<Ended> {
  const client = new PartnerClient(world.stack, world.victim.key);
  const { reportId, target } = await uploadedTread(client, world);
  const beganMs = performance.now();
  await register(client, reportId, [target]);
  return reportEnded(client, reportId, beganMs);
}

/** Two images for each of four treads are registered in turn, each time in place of the other. Returns the report. */
async function attack(world: NeighbourWorld): Promise<string> {
  const client = new PartnerClient(world.stack, world.attacker.key);
  const created = await client.create({ template: 'tire_4t_0s' });
  const targets = created.upload_targets ?? [];
  const { upload_targets: others } = await client.json<{ upload_targets: UploadTarget[] }>(
    'POST',
    `/reports/${created.report_id}/upload-targets`,
    { slots: targets.map(({ module_type, slot }) => ({ module_type, slot })) },
  );
  await Promise.all([...targets, ...others].map((target) => upload(target, world.samples)));
  const beganMs = performance.now();
  for (let count = 0; count < REGISTRATIONS; count += 1) {
    const dueMs = beganMs + (count * REGISTRATIONS_WITHIN_MS) / REGISTRATIONS;
    await pause(Math.max(0, dueMs - performance.now()));
    await register(client, created.report_id, count % 2 === 0 ? targets : others, true);
  }
  return created.report_id;
}

export const row: NeighbourRow = {
  number: 1,
  attack: '25 registrations of one report in 2.5 s, each in place of the one before',
  prepare: async (world) => () => attack(world),
  async measure(world) {
    await measureTread(world);
    const alone: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) alone.push((await measureTread(world)).ms);
    // The wait for the images that a worker has is between one and two images, so one round is chance.
    const beside: Ended[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const attacked = await attack(world);
      beside.push(await measureTread(world));
      await reportEnded(new PartnerClient(world.stack, world.attacker.key), attacked, performance.now());
    }
    const failedForVictim = beside.reduce((sum, { failedSlots }) => sum + failedSlots, 0);
    return { aloneMs: median(alone), besideMs: median(beside.map(({ ms }) => ms)), goal: 2, failedForVictim };
  },
};

import { slotId } from '@tire/kernel';
import { median, queryDatabase, rowCopies } from '@tire/test-harness/bench';
import { randomUUID } from 'node:crypto';
import { PartnerClient } from '../client';
import type { NeighbourResult, NeighbourRow, NeighbourWorld } from './neighbour';
import { analyzed, registered, sampleOf, type Image } from './one-image';
import { reportEnded } from './timing';

const WAITING = 50_000;
const ROUNDS = 3;

const COPIED_REPORT = {
  report_id: 'gen_random_uuid()',
  project_id: '$3::uuid',
  share_token_digest: 'sha256((random()::text || n)::bytea)',
};
const WAITING_SLOT = {
  report_id: 'made.report_id',
  project_id: '$3::uuid',
  phase: `'analyzing'`,
  asset_id: 'image.asset_id',
  analysis_id: 'gen_random_uuid()',
  queued_at: 'now()',
  handover_attempts: '0',
};

/**
 * Makes this many images of other projects wait for their analysis. Their reports are copies of an empty report, and their images are those
 * of a report of the attacker. An analysis of such an image costs as much as an ordinary one.
 */
async function makeWait({ stack, attacker, samples }: NeighbourWorld, original: string, projects: number): Promise<void> {
  const { report_id: empty } = await new PartnerClient(stack, attacker.key).create({ template: 'tire_4t_4s' });
  const [reports, slots, assets] = await Promise.all([
    rowCopies(stack, 'tire_ledger', 'reports'),
    rowCopies(stack, 'tire_ledger', 'slots'),
    rowCopies(stack, 'tire_assets', 'assets'),
  ]);
  const images = '(slot_id, asset_id) USING (slot_id)';
  const copyAssets = assets(
    { asset_id: 'image.asset_id', project_id: '$2::uuid' },
    `assets original JOIN unnest($3::text[], $4::uuid[]) AS image ${images} WHERE original.report_id = $1 AND original.project_id = $5`,
  );
  const copyReports = reports(COPIED_REPORT, 'reports original, generate_series(1, $4::int) n WHERE original.report_id = $2');
  const copySlots = slots(
    WAITING_SLOT,
    `made, slots original JOIN unnest($5::text[], $6::uuid[]) AS image ${images} WHERE original.report_id = $1`,
  );
  const slotIds = samples.map(({ slot }) => slotId(slot));
  const reportsOfProject = Math.ceil(WAITING / projects / slotIds.length);
  for (let project = 0; project < projects; project += 1) {
    const projectId = randomUUID();
    const assetIds = slotIds.map(() => randomUUID());
    await queryDatabase(stack, 'tire_assets', copyAssets, [original, projectId, slotIds, assetIds, attacker.projectId]);
    await queryDatabase(stack, 'tire_ledger', `WITH made AS (${copyReports} RETURNING report_id) ${copySlots}`, [
      original,
      empty,
      projectId,
      reportsOfProject,
      slotIds,
      assetIds,
    ]);
  }
  await queryDatabase(stack, 'tire_ledger', 'ANALYZE reports, slots');
}

async function stillWaiting({ stack }: NeighbourWorld): Promise<number> {
  const [row] = await queryDatabase<{ count: number }>(stack, 'tire_ledger', 'SELECT count(*)::int FROM slots WHERE queued_at IS NOT NULL');
  return row!.count;
}

/** A report of eight images may take `times` as long beside the images that wait, and one more image, which a worker has begun before. */
async function measure(world: NeighbourWorld, projects: number, times: number): Promise<NeighbourResult> {
  const reportOf = (images: readonly Image[] = world.samples) => analyzed(world, world.victim, images);
  const { client, reportId, beganMs } = await registered(world, world.attacker, world.samples);
  await reportEnded(client, reportId, beganMs);
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) alone.push((await reportOf()).ms);
  const oneImage = await reportOf([sampleOf(world, 'sidewall')]);
  await makeWait(world, reportId, projects);
  let failedForVictim = 0;
  const beside: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { ms, failedSlots } = await reportOf();
    beside.push(ms);
    failedForVictim += failedSlots;
  }
  const left = await stillWaiting(world);
  if (left < WAITING / 2) throw new Error(`Only ${left} of ${WAITING} images still wait`);
  const aloneMs = median(alone);
  return { aloneMs, besideMs: median(beside), goal: times + oneImage.ms / aloneMs, failedForVictim };
}

export const waitingImages = (number: number, projects: number, times: number): NeighbourRow => ({
  number,
  attack: `${WAITING.toLocaleString('en')} images of ${projects === 1 ? 'one project' : `${projects} projects`} wait: a report of eight images`,
  measure: (world) => measure(world, projects, times),
});

import { slotId } from '@tire/kernel';
import { queryDatabase, storedColumns } from '@tire/test-harness/bench';
import { randomUUID } from 'node:crypto';
import { PartnerClient } from '../client';
import type { NeighbourResult, NeighbourRow, NeighbourWorld } from './neighbour';
import { analyzed, registered, sampleOf, type Image } from './one-image';
import { median, reportEnded } from './timing';

const WAITING = 50_000;
const ROUNDS = 3;

/**
 * Makes this many images of other projects wait for their analysis. Their reports are copies of an empty report, and their images are those
 * of a report of the attacker. An analysis of such an image costs as much as an ordinary one.
 */
async function makeWait({ stack, attacker, samples }: NeighbourWorld, original: string, projects: number): Promise<void> {
  const { report_id: empty } = await new PartnerClient(stack, attacker.key).create({ template: 'tire_4t_4s' });
  const columnsOf = (database: string, table: string) => storedColumns(stack, database, table);
  const [reports, slots, assets] = await Promise.all([
    columnsOf('tire_ledger', 'reports'),
    columnsOf('tire_ledger', 'slots'),
    columnsOf('tire_assets', 'assets'),
  ]);
  const slotIds = samples.map(({ slot }) => slotId(slot));
  for (let project = 0; project < projects; project += 1) {
    const projectId = randomUUID();
    const assetIds = slotIds.map(() => randomUUID());
    await queryDatabase(
      stack,
      'tire_assets',
      `INSERT INTO assets (${assets}) SELECT ${assets} FROM (
         SELECT (jsonb_populate_record(a, jsonb_build_object('asset_id', g.asset_id, 'project_id', $2::uuid))).*
           FROM assets a JOIN unnest($3::text[], $4::uuid[]) AS g (slot_id, asset_id) USING (slot_id)
          WHERE a.report_id = $1 AND a.project_id = $5) copies`,
      [original, projectId, slotIds, assetIds, attacker.projectId],
    );
    await queryDatabase(
      stack,
      'tire_ledger',
      `WITH made AS (
         INSERT INTO reports (${reports}) SELECT ${reports} FROM (
           SELECT (jsonb_populate_record(r, jsonb_build_object(
                    'report_id', gen_random_uuid(), 'project_id', $3::uuid, 'share_token_digest', sha256((random()::text || n)::bytea)))).*
             FROM reports r, generate_series(1, $4::int) n WHERE r.report_id = $2) copies
         RETURNING report_id)
       INSERT INTO slots (${slots}) SELECT ${slots} FROM (
         SELECT (jsonb_populate_record(s, jsonb_build_object(
                  'report_id', made.report_id, 'project_id', $3::uuid, 'phase', 'analyzing', 'asset_id', g.asset_id,
                  'analysis_id', gen_random_uuid(), 'queued_at', now(), 'handover_attempts', 0))).*
           FROM made, slots s JOIN unnest($5::text[], $6::uuid[]) AS g (slot_id, asset_id) USING (slot_id) WHERE s.report_id = $1) copies`,
      [original, empty, projectId, Math.ceil(WAITING / projects / slotIds.length), slotIds, assetIds],
    );
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

import { newId } from '@tire/kernel';
import { copyReport } from './many-reports';
import { creationRequest } from './requests';
import type { World } from './world';

const IN_A_REPORT = 4;

/** A project with many reports whose slots all wait for the same kind of work. */
export async function projectWithWaiting(world: World, slots: number, phase: 'fetching' | 'analyzing'): Promise<string> {
  const projectId = newId();
  const { reportId } = await world.create(creationRequest({ projectId, images: [] }));
  await copyReport(world, reportId, slots / IN_A_REPORT - 1, { share_token_digest: `sha256(('token-' || n)::bytea)` });
  await world.asOwner(
    `INSERT INTO slots (report_id, slot_id, project_id, phase, asset_id, source_kind, source_url, analysis_id, replaces_success, queued_at,
                        handover_attempts, trace)
     SELECT report_id, 'tire.tread.' || position, project_id, $2, gen_random_uuid(), 'partner_url', 'https://images.example/1.jpg',
            gen_random_uuid(), false, $3, 0, '{}'
       FROM reports, unnest(ARRAY['front_left', 'front_right', 'rear_left', 'rear_right']) AS position WHERE project_id = $1`,
    [projectId, phase, world.clock.now()],
  );
  await world.asOwner('ANALYZE slots');
  return projectId;
}

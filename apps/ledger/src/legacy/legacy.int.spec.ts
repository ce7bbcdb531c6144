import { Report } from '@tire/contracts/api';
import { newId } from '@tire/kernel';
import { eventually, spawnTypeScript } from '@tire/test-harness';
import { once } from 'node:events';
import { join } from 'node:path';
import { startAssetsPeer, type AssetsPeer } from '../testing/assets.fixture';
import { refusalOf, SEALING_KEYS, startWorld, treadMeasurement, type World } from '../testing/world';

let peer: AssetsPeer;
let world: World;

beforeAll(async () => {
  peer = await startAssetsPeer();
  world = await startWorld({ assetsUrl: peer.address, holdersUrl: peer.address });
});

afterAll(async () => {
  await world?.stop();
  await peer?.close();
});

async function importFile(projectId: string, lines: readonly string[]) {
  const child = spawnTypeScript(
    join(__dirname, '../admin.ts'),
    ['import-legacy', '--project', projectId, '--mode', 'live'],
    { DATABASE_URL: world.databaseUrl, SEALING_KEYS },
    'pipe',
  );
  let [out, err] = ['', ''];
  child.stdout!.on('data', (chunk) => (out += String(chunk)));
  child.stderr!.on('data', (chunk) => (err += String(chunk)));
  child.stdin!.end(lines.join('\n'));
  const [code] = (await once(child, 'close')) as [number];
  return { code, counts: JSON.parse(out) as unknown, err };
}

const engine = {
  api: 'tire-vision',
  api_version: '1.0',
  operation: 'tire.tread',
  result_schema_version: 'tire-tread.v1',
  requested_functions: ['aggregated_depth'],
};

const result = {
  aggregated_depth: { aggregated_remaining_depth: 4.4, estimated_lifetime: null },
  individual_depths: { individual_remaining_depth: [4.4] },
  tire_rotation: null,
  vehicle_side: null,
  groove_masks: [],
  tread_roi: { bbox_xyxy_norm: null },
};

const CREATED_AT = '2024-03-01T01:02:03.000Z';

/** A report of the previous system: four treads, the last of them failed. */
function oldReport(reportId: string, over: object = {}) {
  const positions = ['front_left', 'front_right', 'rear_left', 'rear_right'];
  return {
    schema_version: 'report.v0',
    report_id: reportId,
    vehicle: { plate_number: '12가 3456' },
    client_context: { external_inspection_id: `old ${reportId}`, external_vehicle_id: null, metadata: { branch: 7 } },
    template: { key: 'tire_4t_0s' },
    timestamps: { created_at: CREATED_AT, analysis_completed_at: '2024-03-01T10:02:05+09:00' },
    slots: positions.map((position, index) => ({
      slot: { position, image_type: 'tread' },
      asset: { asset_id: newId(), source: { kind: 'partner_url', url: `https://images.example/${position}.jpg`, client_asset_id: null } },
      analysis:
        index < 3
          ? {
              status: 'success',
              provenance: 'engine',
              engine,
              result,
              quality: { recognized: true, confidence: null },
              error: null,
              completed_at: CREATED_AT,
            }
          : {
              status: 'failed',
              provenance: 'engine',
              engine,
              result: null,
              quality: null,
              error: { code: 'analysis_failed', retryable: true },
              completed_at: CREATED_AT,
            },
    })),
    ...over,
  };
}

describe('reports from before versioned content', () => {
  it('are imported once with their measurements, and served as report.v1', async () => {
    const [projectId, reportId] = [newId(), newId()];
    const line = JSON.stringify(oldReport(reportId));
    expect(await importFile(projectId, [line, '', line])).toEqual({ code: 0, counts: { imported: 1, known: 1, refused: 0 }, err: '' });

    const report = await world.report(projectId, reportId);
    expect(Report.parse(report)).toEqual(report);
    expect(report).toMatchObject({
      analysis_status: 'partial',
      summary_status: 'partial',
      publication_status: 'unpublished',
      vehicle: { plate_number: '12가 3456' },
      client_context: { metadata: { branch: 7 } },
      timestamps: { created_at: CREATED_AT, analysis_completed_at: '2024-03-01T01:02:05.000Z' },
    });
    expect(report.analysis_revision).not.toBeNull();
    expect(report.slots.map(({ analysis }) => [analysis.status, analysis.provenance])).toEqual([
      ...Array<unknown>(3).fill(['success', 'legacy_projection']),
      ['failed', 'legacy_projection'],
    ]);
    const { answers } = await world.ledger.getContentPointers({ keys: [{ projectId, reportId }] });
    expect(answers).toMatchObject([{ errorCode: 'content_unavailable_for_legacy' }]);
    expect(await world.ledger.getPublicationState({ projectId, reportId, forChange: true })).toMatchObject({ legacy: true });
    expect(world.received.analysisEnded.count(reportId)).toBe(0);
  });

  it('can be measured again from their URLs, stay without content, and can be discarded', async () => {
    const [projectId, reportId] = [newId(), newId()];
    await importFile(projectId, [JSON.stringify(oldReport(reportId))]);
    await world.ledger.analyzeSlots({ projectId, reportId, slotIds: [] });
    const [fetch] = await world.received.fetchImage.of(reportId, 1);
    expect(fetch).toMatchObject({ slotId: 'tire.tread.rear_right', url: 'https://images.example/rear_right.jpg' });
    await world.publishFetched(projectId, reportId, 'tire.tread.rear_right');
    const [work] = await world.received.analyzeTread.of(reportId, 1);
    await world.publishFinished(work!, { $case: 'tread', value: treadMeasurement() });
    const report = await eventually(async () => {
      const current = await world.report(projectId, reportId);
      return current.analysis_status === 'complete' && current;
    });
    expect(report.slots[3]!.analysis.provenance).toBe('engine');
    const { answers } = await world.ledger.getContentPointers({ keys: [{ projectId, reportId }] });
    expect(answers).toMatchObject([{ errorCode: 'content_unavailable_for_legacy' }]);
    await world.ledger.discardReport({ projectId, reportId });
    expect(await refusalOf(world.ledger.getMutability({ projectId, reportId }))).toMatchObject({ code: 'report_discarded' });
  });

  it('are refused with line and field where they are invalid, and the others are imported', async () => {
    const projectId = newId();
    const good = oldReport(newId());
    const bad = oldReport(newId());
    (bad.slots[1]!.analysis as { result: unknown }).result = { depth: 3 };
    const outside = oldReport(newId(), { slots: [{ ...good.slots[0]!, slot: { position: 'front_left', image_type: 'sidewall' } }] });
    const { code, counts, err } = await importFile(projectId, [
      JSON.stringify(bad),
      '{broken',
      JSON.stringify(outside),
      JSON.stringify(good),
    ]);
    expect([code, counts]).toEqual([1, { imported: 1, known: 0, refused: 3 }]);
    expect(err).toContain('line 1: ');
    expect(err).toContain('slots[1].analysis');
    expect(err).toContain('line 2: ');
    expect(err).toContain('line 3: tire.sidewall.front_left is no slot of tire_4t_0s');
  });
});

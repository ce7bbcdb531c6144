import { AnalysisRevisionSnapshot, AnalyzeResponse } from '@tire/contracts/api';
import { EVENTS, type AnalyzeImage } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { Client } from 'pg';
import { creationRequest, refusalOf, startWorld, treadMeasurement, type World } from '../testing/world';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world?.stop());

interface Opened {
  readonly projectId: string;
  readonly reportId: string;
}

/** A report of four treads whose images are stored and whose analyses were requested. */
async function measuring(): Promise<Opened & { work: AnalyzeImage[] }> {
  const request = creationRequest({ templateKey: 'tire_4t_0s' });
  const { projectId } = request;
  const { reportId } = await world.create(request);
  for (const { slotId } of request.images) {
    await world.publishFetched(projectId, reportId, slotId);
    await world.publishFetched(projectId, reportId, slotId);
  }
  const work = await world.received.analyzeTread.of(reportId, request.images.length);
  return { projectId, reportId, work };
}

async function complete(): Promise<Opened & { analysisRevision: string }> {
  const { projectId, reportId, work } = await measuring();
  for (const image of work) await world.publishFinished(image, { $case: 'tread', value: treadMeasurement() });
  const [ended] = await world.received.analysisEnded.of(reportId, 1);
  return { projectId, reportId, analysisRevision: ended!.analysisRevision };
}

const pointer = async ({ projectId, reportId }: Opened) =>
  (await world.ledger.getContentPointers({ keys: [{ projectId, reportId }] })).answers[0]!.pointer!;

describe('the lifecycle of a report', () => {
  it('requests one analysis of each image, however often the result of its fetch arrives', async () => {
    const { reportId, work } = await measuring();
    await world.settled();
    expect(new Set(work.map(({ slotId }) => slotId)).size).toBe(4);
    expect(world.received.analyzeTread.count(reportId)).toBe(4);
  });

  it('waits for another change without a connection, so that other reports are read and changed meanwhile', async () => {
    const { projectId, reportId } = await measuring();
    const [neighbour, other] = [await measuring(), await complete()];
    const elsewhere = new Client({ connectionString: world.ownerUrl });
    await elsewhere.connect();
    await elsewhere.query(`SELECT set_config('app.scope', 'system', false)`);
    await elsewhere.query('BEGIN');
    await elsewhere.query('SELECT FROM reports WHERE report_id = $1 FOR UPDATE', [reportId]);
    // More than the pool has connections.
    const attempts = Array.from({ length: 40 }, () => refusalOf(world.ledger.analyzeSlots({ projectId, reportId, slotIds: [] })));
    for (let reads = 0; reads < 5; reads += 1) await world.report(other.projectId, other.reportId);
    for (const image of neighbour.work) await world.publishFinished(image, { $case: 'tread', value: treadMeasurement() });
    await world.received.analysisEnded.of(neighbour.reportId, 1);
    const refusals = await Promise.all(attempts);
    await elsewhere.query('ROLLBACK');
    await elsewhere.end();
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['service_unavailable']));
  });

  it('fails a slot whose image could not be fetched', async () => {
    const request = creationRequest({ templateKey: 'tire_4t_0s' });
    const { reportId } = await world.create({ ...request, images: request.images.slice(0, 1) });
    await world.publishFetched(request.projectId, reportId, request.images[0]!.slotId, 'image_unreachable');
    const report = await eventually(async () => {
      const current = await world.report(request.projectId, reportId);
      return current.analysis_status === 'failed' && current;
    });
    expect(report.slots[0]!.analysis.error).toEqual({ code: 'image_unreachable', retryable: true });
    expect(report.summary_status).toBe('failed');
    const [ended] = await world.received.analysisEnded.of(reportId, 1);
    expect(ended).toMatchObject({ analysisStatus: 'failed', analysisRevision: report.analysis_revision });
  });

  it('ignores results of other attempts and repeated results', async () => {
    const { projectId, reportId, work } = await measuring();
    const [first, ...rest] = work;
    await world.publishFinished({ ...first!, analysisId: newId() }, { $case: 'errorCode', value: 'tread_not_found' });
    const statusOf = async (slotId: string) =>
      (await world.report(projectId, reportId)).slots.find((slot) => slot.slot_id === slotId)?.status;
    for (const image of [...rest, first!]) {
      await world.publishFinished(image, { $case: 'tread', value: treadMeasurement() });
      await eventually(async () => (await statusOf(image.slotId)) === 'success');
      await world.publishFinished(image, { $case: 'errorCode', value: 'tread_not_found' });
      await world.publishFinished(image, { $case: 'tread', value: treadMeasurement() });
    }
    await world.received.analysisEnded.of(reportId, 1);
    await world.settled();
    const report = await world.report(projectId, reportId);
    expect(report.analysis_status).toBe('complete');
    expect(world.received.analysisEnded.count(reportId)).toBe(1);
  });

  it('freezes its measurements, and the database refuses every change', async () => {
    const { projectId, reportId, analysisRevision } = await complete();
    const { snapshotJson } = await world.ledger.getAnalysisRevision({ projectId, reportId, analysisRevision });
    const snapshot = AnalysisRevisionSnapshot.parse(JSON.parse(snapshotJson.toString()));
    const report = await world.report(projectId, reportId);
    expect(snapshot).toMatchObject({ analysis_status: 'complete', analysis_revision: report.analysis_revision, slots: report.slots });
    expect(report.timestamps.analysis_completed_at).toBe(snapshot.completed_at);
    for (const [table, column] of [
      ['analysis_revisions', 'status'],
      ['analysis_revision_slots', 'slot_id'],
      ['analyses', 'model'],
    ] as const) {
      for (const change of [`UPDATE ${table} SET ${column} = ''`, `DELETE FROM ${table}`]) {
        await expect(world.asOwner(`${change} WHERE report_id = '${reportId}'`)).rejects.toThrow(
          /never change|only with its closed report/,
        );
        await expect(world.asRuntime(projectId, `${change} WHERE report_id = '${reportId}'`)).rejects.toThrow();
      }
    }
    expect((await world.ledger.getAnalysisRevision({ projectId, reportId, analysisRevision })).snapshotJson).toEqual(snapshotJson);
  });

  it('points to content once it is ready for the current revision', async () => {
    const opened = await complete();
    const { projectId, reportId, analysisRevision } = opened;
    expect(await pointer(opened)).toMatchObject({ status: 'pending', analysisRevision, templateKey: 'tire_4t_0s' });
    const contentRevision = newId();
    const generated = { projectId, reportId, analysisRevision, analysisStatus: 'complete', contentRevision, etag: 'W/"x"', errorCode: '' };
    await world.publish(EVENTS.contentGenerated, { ...generated, analysisRevision: newId(), contentRevision: newId() });
    await world.publish(EVENTS.contentGenerated, generated);
    await world.publish(EVENTS.contentGenerated, generated);
    const ready = await eventually(async () => {
      const current = await pointer(opened);
      return current.status === 'ready' && current;
    });
    expect(ready).toMatchObject({ contentRevision, etag: 'W/"x"', analysisRevision });
    expect(await world.ledger.getPublicationState({ projectId, reportId, forChange: false })).toMatchObject({
      analysisStatus: 'complete',
      analysisRevision,
      contentRevision,
    });
    expect((await world.report(projectId, reportId)).summary_status).toBe('complete');
  });

  it('follows publication by version, in any order of arrival', async () => {
    const { projectId, reportId } = await complete();
    const publishedAt = '2026-11-01T09:00:00.000Z';
    const publish = (version: number, publicationStatus: string, linkDigest?: Buffer) =>
      world.publishJudged(projectId, reportId, version, {
        publicationStatus,
        publishedAt: publicationStatus === 'published' ? publishedAt : undefined,
        linkDigest,
      });
    await publish(3, 'published');
    await publish(2, 'published', Buffer.alloc(32));
    await publish(1, 'unpublished', Buffer.alloc(32));
    await publish(3, 'published');
    await world.settled();
    const report = await world.report(projectId, reportId);
    expect(report).toMatchObject({ publication_status: 'published', links: { share: null }, timestamps: { published_at: publishedAt } });
  });

  it('applies a publication at once, before its event', async () => {
    const { projectId, reportId, analysisRevision } = await complete();
    const publication = {
      projectId,
      reportId,
      version: 5,
      publicationStatus: 'published',
      publishedAt: '2026-11-01T09:00:00.000Z',
      analysisRevision,
    };
    await world.ledger.applyPublication({ ...publication, shareToken: 'another', linkExpiresAt: '2099-01-01T00:00:00.000Z' });
    expect((await world.report(projectId, reportId)).links.share).toBe('https://share.example/r/another');
    await world.ledger.applyPublication({ ...publication, version: 6, shareToken: 'another', linkExpiresAt: '2020-01-01T00:00:00.000Z' });
    expect((await world.report(projectId, reportId)).links.share).toBeNull();
    await world.ledger.applyPublication({ ...publication, version: 4, shareToken: 'late' });
    expect((await world.report(projectId, reportId)).links.share).toBeNull();
    await world.ledger.applyPublication({ ...publication, projectId: newId(), version: 9, shareToken: 'of another project' });
    expect((await world.report(projectId, reportId)).links.share).toBeNull();
  });

  it('measures failed or named slots again, and leaves pending ones alone', async () => {
    const { projectId, reportId, work } = await measuring();
    const [bad, ...good] = work;
    await world.publishFinished(bad!, { $case: 'errorCode', value: 'analysis_failed' });
    for (const image of good) await world.publishFinished(image, { $case: 'tread', value: treadMeasurement() });
    const [first] = await world.received.analysisEnded.of(reportId, 1);
    expect(first).toMatchObject({ analysisStatus: 'partial' });

    const analyze = async (slotIds: string[]) =>
      AnalyzeResponse.parse(JSON.parse((await world.ledger.analyzeSlots({ projectId, reportId, slotIds })).responseJson.toString()));
    expect(await analyze([])).toEqual({ report_id: reportId, analysis_status: 'processing', slots: [bad!.slotId] });
    expect(await analyze([bad!.slotId])).toMatchObject({ slots: [] });
    await world.received.fetchImage.of(reportId, 5);
    await world.publishFetched(projectId, reportId, bad!.slotId);
    const again = (await world.received.analyzeTread.of(reportId, 5))[4]!;
    expect(again).toMatchObject({ slotId: bad!.slotId, assetId: bad!.assetId });
    await world.publishFinished(bad!, { $case: 'errorCode', value: 'tread_not_found' });
    await world.publishFinished(again, { $case: 'tread', value: treadMeasurement() });
    const [, second] = await world.received.analysisEnded.of(reportId, 2);
    expect(second).toMatchObject({ analysisStatus: 'complete' });
    expect(second!.analysisRevision).not.toBe(first!.analysisRevision);

    expect(await analyze([good[0]!.slotId])).toMatchObject({ analysis_status: 'processing', slots: [good[0]!.slotId] });
    expect(world.received.fetchImage.count(reportId)).toBe(5);
    expect((await world.received.analyzeTread.of(reportId, 6))[5]).toMatchObject({ assetId: good[0]!.assetId });
  });

  it('ignores facts about unknown reports', async () => {
    const image = { projectId: newId(), reportId: newId(), slotId: 'tire.tread.front_left', assetId: newId(), analysisId: newId() };
    await world.publish(EVENTS.imageFetched, { ...image, errorCode: '' });
    await world.settled();
    expect(world.received.analyzeTread.count(image.reportId)).toBe(0);
  });
});

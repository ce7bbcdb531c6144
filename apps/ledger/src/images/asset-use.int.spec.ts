import { CreateReportResponse, type UploadTarget } from '@tire/contracts/api';
import { newId, slotId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { startAssetsPeer, type AssetsPeer } from '../testing/assets.fixture';
import { creationRequest, startWorld, treadMeasurement, type World } from '../testing/world';

describe('assets in use', () => {
  let peer: AssetsPeer;
  let world: World;
  let report: { projectId: string; reportId: string };
  let targets: readonly UploadTarget[];

  beforeAll(async () => {
    peer = await startAssetsPeer();
    world = await startWorld({ assetsUrl: peer.address, holdersUrl: peer.address });
  });

  afterAll(async () => {
    await world?.stop();
    await peer?.close();
  });

  beforeEach(async () => {
    const request = creationRequest({ templateKey: 'tire_4t_0s', images: [] });
    const answer = await world.ledger.createReport(request);
    const created = CreateReportResponse.parse(JSON.parse(answer.responseJson.toString()));
    report = { projectId: request.projectId, reportId: created.report_id };
    targets = created.upload_targets!;
  });

  const inUse = async (assetIds: string[], of = report) => {
    const answer = await world.ledger.findAssetsInUse({ keys: assetIds.map((assetId) => ({ ...of, assetId })) });
    return answer.assetIds.toSorted();
  };

  const register = (target: UploadTarget, assetId: string) =>
    world.ledger.registerImages({ ...report, images: [{ slotId: slotId(target.slot), assetId }], replace: true });

  /** The slot of the target has this image and was measured. */
  async function measured(target: UploadTarget, assetId: string): Promise<void> {
    await register(target, assetId);
    const work = await world.received.analyzeTread.last(report.reportId, (message) => message.assetId === assetId);
    await world.publishFinished(work, { $case: 'tread', value: treadMeasurement() });
    await eventually(async () => (await world.report(report.projectId, report.reportId)).analysis_status !== 'processing');
  }

  it('are those of the slots, without one that was replaced before a revision was frozen', async () => {
    const [target] = targets;
    const [first, second] = [target!.asset_id, newId()];
    expect(await inUse([first])).toEqual([]);
    await register(target!, first);
    expect(await inUse([first, second, 'no id'])).toEqual([first]);
    await measured(target!, first);
    await register(target!, second);
    expect(await inUse([first, second])).toEqual([second]);
  });

  it('are those of every revision, also after a replacement', async () => {
    for (const target of targets) await measured(target, target.asset_id);
    const [first, second] = [targets[0]!.asset_id, newId()];
    await measured(targets[0]!, second);
    const all = [...targets.map(({ asset_id }) => asset_id), second];
    expect(await inUse([...all, newId()])).toEqual(all.toSorted());
    expect(await inUse([first.toUpperCase()])).toEqual([first]);
  });

  it('belong to their report: another report or project finds nothing', async () => {
    for (const target of targets) await measured(target, target.asset_id);
    const assetId = targets[0]!.asset_id;
    expect(await inUse([assetId], { ...report, projectId: newId() })).toEqual([]);
    expect(await inUse([assetId], { ...report, reportId: newId() })).toEqual([]);
    expect(await inUse([])).toEqual([]);
  });

  it('are none for a discarded report, also while its removal is incomplete', async () => {
    for (const target of targets) await measured(target, target.asset_id);
    const all = targets.map(({ asset_id }) => asset_id);
    await register(targets[0]!, newId());
    expect(await inUse(all)).toEqual(all.toSorted());
    peer.failing.add('share');
    await expect(world.ledger.discardReport(report)).rejects.toMatchObject({ code: 'discard_incomplete' });
    expect(await inUse(all)).toEqual([]);
    peer.failing.clear();
    await world.ledger.discardReport(report);
    expect(await inUse(all)).toEqual([]);
  });

  it('stay those of a discarded report under legal hold until it is released', async () => {
    const assetId = targets[0]!.asset_id;
    await register(targets[0]!, assetId);
    await world.ledger.holdReport({ ...report, reason: 'Case 7' });
    await world.ledger.discardReport(report);
    expect(await inUse([assetId])).toEqual([assetId]);
    await world.ledger.releaseReport(report);
    expect(await inUse([assetId])).toEqual([]);
  });
});

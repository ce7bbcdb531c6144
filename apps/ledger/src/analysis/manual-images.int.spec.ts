import { RegisterImagesResponse } from '@tire/contracts/api';
import { type ledgerApi } from '@tire/contracts/grpc';
import { newId } from '@tire/kernel';
import { startAssetsPeer, type AssetsPeer } from '../testing/assets.fixture';
import { creationRequest, refusalOf, startWorld, type World } from '../testing/world';

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'];
const SIZE = { sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch: 17 };
const TREAD = 'tire.tread.front_left';

describe('images of a manual report', () => {
  let assets: AssetsPeer;
  let world: World;

  beforeAll(async () => {
    assets = await startAssetsPeer();
    world = await startWorld({ assetsUrl: assets.address });
  });
  afterAll(async () => {
    await world?.stop();
    await assets?.close();
  });

  async function manual(sizes = 2) {
    const tires = POSITIONS.map((position, index) => ({ position, grooveDepthsMm: [5, 5.2], size: index < sizes ? SIZE : undefined }));
    const projectId = newId();
    const { reportId } = await world.create(creationRequest({ projectId, images: [], entered: { tires } }));
    return { projectId, reportId };
  }
  const register = async (report: { projectId: string; reportId: string }, images: ledgerApi.RegisteredImage[]) => {
    const { responseJson } = await world.ledger.registerImages({ ...report, images, replace: false });
    return RegisterImagesResponse.parse(JSON.parse(responseJson.toString()));
  };

  it('are shown beside the entered values, in a new published revision, and are not measured', async () => {
    const report = await manual();
    const before = await world.report(report.projectId, report.reportId);
    const assetId = newId();
    const answer = await register(report, [{ slotId: TREAD, assetId }]);
    expect(answer).toMatchObject({ analysis_status: 'complete', images: [{ asset_id: assetId, status: 'accepted' }] });
    const after = await world.report(report.projectId, report.reportId);
    const [slot, earlier] = [after, before].map(({ slots }) => slots.find(({ slot_id }) => slot_id === TREAD)!);
    expect(slot?.asset).toMatchObject({ asset_id: assetId, source: { kind: 'atrace_upload' } });
    expect(slot?.analysis).toEqual(earlier?.analysis);
    expect(after.analysis_revision! > before.analysis_revision!).toBe(true);
    const ended = await world.received.analysisEnded.of(report.reportId, 2);
    expect(ended.map(({ analysisRevision }) => analysisRevision)).toEqual([before.analysis_revision, after.analysis_revision]);
    expect((await register(report, [{ slotId: TREAD, assetId }])).images).toEqual([expect.objectContaining({ status: 'unchanged' })]);
    await world.settled();
    expect(await world.received.analyzeTread.of(report.reportId, 0)).toEqual([]);
  });

  it('have slots of the template: a size outside of it is refused, and nothing is created', async () => {
    const tires = POSITIONS.map((position) => ({ position, grooveDepthsMm: [5], size: position === 'rear_left' ? SIZE : undefined }));
    const request = creationRequest({ templateKey: 'tire_4t_0s', images: [], entered: { tires } });
    expect(await refusalOf(world.create(request))).toEqual({ code: 'validation_error', param: 'tires[2].size' });
    expect(await world.countReports(request.projectId)).toBe(0);
  });

  it('are refused for a slot without a value', async () => {
    const report = await manual();
    const images = [{ slotId: 'tire.sidewall.rear_right', assetId: newId() }];
    expect(await refusalOf(world.ledger.registerImages({ ...report, images, replace: true }))).toEqual({
      code: 'validation_error',
      param: 'images[0].slot',
    });
  });

  it('are signed for their own report only', async () => {
    const [report, other] = [await manual(), await manual()];
    const assetId = newId();
    await register(report, [{ slotId: TREAD, assetId }]);
    expect(await world.ledger.signImage({ ...report, assetId })).toMatchObject({ url: `https://store.example/${assetId}`, orientation: 6 });
    for (const stranger of [other, { ...report, projectId: other.projectId }, { ...report, reportId: newId() }])
      expect((await refusalOf(world.ledger.signImage({ ...stranger, assetId }))).code).toBe('not_found');
    expect((await refusalOf(world.ledger.signImage({ ...report, assetId: newId() }))).code).toBe('not_found');
  });
});

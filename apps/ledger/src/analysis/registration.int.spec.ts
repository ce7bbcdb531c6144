import { CreateReportResponse, RegisterImagesResponse, type UploadTarget } from '@tire/contracts/api';
import { newId, slotId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { sha256, startAssetsPeer, type AssetsPeer } from '../testing/assets.fixture';
import { creationRequest, refusalOf, startWorld, treadMeasurement, type World } from '../testing/world';

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

const uploadRequest = (over: Parameters<typeof creationRequest>[0] = {}) =>
  creationRequest({ templateKey: 'tire_4t_0s', images: [], ...over });

async function created(request = uploadRequest()) {
  const answer = await world.ledger.createReport(request);
  const response = CreateReportResponse.parse(JSON.parse(answer.responseJson.toString()));
  return { projectId: request.projectId, reportId: response.report_id, answer, response, targets: response.upload_targets! };
}

type Created = Awaited<ReturnType<typeof created>>;

const imagesOf = (targets: readonly UploadTarget[]) => targets.map(({ asset_id, slot }) => ({ slotId: slotId(slot), assetId: asset_id }));

async function register({ projectId, reportId }: Created, images: { slotId: string; assetId: string }[], replace = false) {
  const { responseJson } = await world.ledger.registerImages({ projectId, reportId, images, replace });
  return RegisterImagesResponse.parse(JSON.parse(responseJson.toString()));
}

async function succeeded(report: Created, target: UploadTarget): Promise<void> {
  const { projectId, reportId } = report;
  await register(report, imagesOf([target]));
  const [work] = await world.received.analyzeTread.of(reportId, 1);
  await world.publishFinished(work!, { $case: 'tread', value: treadMeasurement() });
  await eventually(async () => (await world.report(projectId, reportId)).analysis_status === 'awaiting_images');
}

describe('creation for uploads', () => {
  it.each([
    ['tire_4t_2s', 8],
    ['tire_4t_4s', 8],
    ['tire_4t_0s', 4],
  ])('%s: 201 with %i targets', async (templateKey, count) => {
    const { answer, response, targets } = await created(uploadRequest({ templateKey }));
    expect([answer.httpStatus, response.status]).toEqual([201, 'awaiting_images']);
    expect(new Set(targets.map(({ slot }) => slotId(slot))).size).toBe(count);
    expect(targets[0]!.required_headers).toEqual({ 'Cache-Control': 'max-age=60' });
  });

  it('returns the same targets for the same key, and new ones for the empty slots of an inspection', async () => {
    const keyed = uploadRequest({ idempotencyKey: newId(), externalInspectionId: newId() });
    const first = await created(keyed);
    expect((await created(keyed)).answer).toEqual(first.answer);
    await register(first, imagesOf(first.targets.slice(0, 1)));
    const again = await created({ ...keyed, idempotencyKey: undefined });
    expect(again.reportId).toBe(first.reportId);
    expect(again.response.status).toBe('processing');
    expect(imagesOf(again.targets).map((image) => image.slotId)).toEqual(imagesOf(first.targets.slice(1)).map((image) => image.slotId));
  });
});

describe('registration', () => {
  it('starts the analysis of each image once, however often it is registered', async () => {
    const report = await created();
    const images = imagesOf(report.targets.slice(0, 2));
    expect(await register(report, images)).toEqual({
      report_id: report.reportId,
      analysis_status: 'processing',
      images: images.map((image) => ({ slot_id: image.slotId, asset_id: image.assetId, status: 'accepted' })),
    });
    const second = await register(report, images);
    expect(second.images.map(({ status }) => status)).toEqual(['unchanged', 'unchanged']);
    const inCapitals = await register(
      report,
      images.map(({ slotId, assetId }) => ({ slotId, assetId: assetId.toUpperCase() })),
    );
    expect(inCapitals).toEqual(second);
    await world.received.analyzeTread.of(report.reportId, 2);
    await world.settled();
    expect(world.received.analyzeTread.count(report.reportId)).toBe(2);
    expect(assets.registered.filter((id) => id === images[0]!.assetId)).toHaveLength(1);
    const { slots } = await world.report(report.projectId, report.reportId);
    expect(slots[0]!.asset).toEqual({
      asset_id: images[0]!.assetId,
      source: { kind: 'atrace_upload', url: null, client_asset_id: null },
    });
  });

  it('refuses a slot outside the template and an invalid upload, and registers nothing of either request', async () => {
    const report = await created();
    const [good, bad] = imagesOf(report.targets);
    const outside = { slotId: 'tire.sidewall.front_left', assetId: newId() };
    expect(await refusalOf(register(report, [good!, outside]))).toEqual({ code: 'validation_error', param: 'images[1].slot.image_type' });
    assets.refused.add(bad!.assetId);
    expect(await refusalOf(register(report, [good!, bad!]))).toEqual({ code: 'validation_error', param: 'asset_id' });
    const malformed = { ...good!, assetId: 'x' };
    expect(await refusalOf(register(report, [malformed]))).toEqual({ code: 'validation_error', param: 'images[0].asset_id' });
    expect((await world.report(report.projectId, report.reportId)).analysis_status).toBe('awaiting_images');
  });

  it('has the place in the request of each upload that is refused, also beside one that is registered already', async () => {
    const report = await created();
    const images = imagesOf(report.targets);
    await register(report, images.slice(0, 1));
    for (const index of [1, 3]) assets.refused.add(images[index]!.assetId);
    const places = [1, 3].map((index) => ({ param: `images[${index}].asset_id`, message: `Cache-Control of ${images[index]!.assetId}` }));
    await expect(register(report, images)).rejects.toMatchObject({ param: 'asset_id', message: places[0]!.message, faults: places });
    const malformed = images.map((image, index) => (index % 2 ? { ...image, assetId: 'x' } : image));
    await expect(register(report, malformed)).rejects.toMatchObject({
      faults: [1, 3].map((index) => ({ param: `images[${index}].asset_id`, message: `images[${index}].asset_id: is no id.` })),
    });
  });

  it('names every slot without an image that is to be analyzed', async () => {
    const report = await created();
    const slotIds = imagesOf(report.targets.slice(0, 2)).map((image) => image.slotId);
    const again = world.ledger.analyzeSlots({ projectId: report.projectId, reportId: report.reportId, slotIds });
    await expect(again).rejects.toMatchObject({ param: 'slots[0].slot', faults: [{ param: 'slots[0].slot' }, { param: 'slots[1].slot' }] });
  });

  it('warns at once of the same bytes in two slots, and no more after one is replaced', async () => {
    const report = await created();
    const images = imagesOf(report.targets.slice(0, 2));
    for (const { assetId } of images) assets.sha256Of.set(assetId, sha256('one photograph'));
    await register(report, images);
    const warnings = async () => (await world.report(report.projectId, report.reportId)).warnings;
    expect(await warnings()).toEqual([{ code: 'same_image', slot_ids: images.map(({ slotId }) => slotId) }]);
    await register(report, [{ ...images[0]!, assetId: newId() }]);
    expect(await warnings()).toEqual([]);
  });

  it('replaces a result only with replace=true', async () => {
    const report = await created();
    const [target] = report.targets;
    await succeeded(report, target!);
    const other = { slotId: slotId(target!.slot), assetId: newId() };
    expect(await refusalOf(register(report, [other]))).toEqual({ code: 'slot_already_succeeded', param: 'images[0].slot' });
    // The refusal comes before the work: no image was read or recorded.
    expect(assets.registered).not.toContain(other.assetId);
    expect((await register(report, imagesOf([target!]))).images[0]!.status).toBe('unchanged');
    expect(await register(report, [other], true)).toMatchObject({ analysis_status: 'processing', images: [{ status: 'accepted' }] });
  });
});

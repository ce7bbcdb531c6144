import { newId } from '@tire/kernel';
import { ImageDecoder } from '@tire/platform/images';
import { eventually } from '@tire/test-harness';
import sharp from 'sharp';
import { missingOf } from '../domain/display';
import { startImageHost, startWorld } from '../testing/world';

const SLOT = 'tire.tread.front_left';

describe('derivatives of a page ahead of their use', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let body: Buffer;
  const report = { projectId: newId(), reportId: newId() };

  beforeAll(async () => {
    host = await startImageHost();
    world = await startWorld(host, { displayAhead: true });
    body = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#456' } })
      .jpeg()
      .toBuffer();
  });
  afterAll(async () => {
    await world?.stop();
    await host?.stop();
  });

  async function registered(): Promise<string> {
    const [target] = (await world.assets.issueTargets({ ...report, slotIds: [SLOT] })).targets;
    await fetch(target!.uploadUrl, { method: 'PUT', headers: { 'cache-control': 'max-age=60' }, body: new Uint8Array(body) });
    await world.assets.registerUploads({ ...report, uploads: [{ assetId: target!.assetId, slotId: SLOT }] });
    return target!.assetId;
  }

  it('are made as soon as an image is stored, uploaded or fetched', async () => {
    await registered();
    host.answers.set('/jpeg', () => ({ status: 200, body }));
    await world.fetch({ ...report, slotId: SLOT, assetId: newId(), url: `${host.origin}/jpeg`, analysisId: newId() });
    await eventually(async () => (await world.keys('display/')).length === 2 * missingOf('page', null).length);
  });

  it('that take long keep no other image off a page, and are made later', async () => {
    const made = await registered();
    const images = async (assetIds: string[]) =>
      (await world.assets.signPageImages({ projectId: report.projectId, assetIds })).answers.map(({ image, notFound }) => [
        !!image,
        notFound,
      ]);
    await eventually(async () => (await images([made]))[0]![0]);
    const { pid } = world.app.get(ImageDecoder, { strict: false })['light']['child']!;
    process.kill(pid!, 'SIGSTOP');
    const late = await registered();
    try {
      expect(await images([late, made.toUpperCase()])).toEqual([
        [false, false],
        [true, false],
      ]);
    } finally {
      process.kill(pid!, 'SIGCONT');
    }
    await eventually(async () => (await images([late]))[0]![0]);
  });

  it('are given up when the service stops, which costs no try', async () => {
    const decoder = world.app.get(ImageDecoder, { strict: false });
    const make = jest.spyOn(decoder, 'copies');
    process.kill(decoder['light']['child']!.pid!, 'SIGSTOP');
    const assetId = await registered();
    const recorded = () => world.sql('SELECT display_tries AS tries, display_recipe AS recipe FROM assets WHERE asset_id = $1', [assetId]);
    await eventually(() => make.mock.calls.length === 1);
    // Counted before it begins: it may take the process down.
    expect(await recorded()).toEqual([{ tries: 1, recipe: null }]);
    await world.app.close();
    expect(await recorded()).toEqual([{ tries: 0, recipe: null }]);
  });
});

import { newId, sandboxAddress, SANDBOX_NAMES, sandboxPhotograph, type SandboxName } from '@tire/kernel';
import { startImageHost, startWorld } from '../testing/world';

describe('well-known addresses', () => {
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let world: Awaited<ReturnType<typeof startWorld>>;

  beforeAll(async () => {
    host = await startImageHost();
    world = await startWorld(host);
  });
  afterAll(async () => {
    await world?.stop();
    await host?.stop();
  });

  async function resultOf(name: string, sandbox: string | undefined) {
    const assetId = newId();
    const report = { projectId: newId(), reportId: newId(), slotId: 'tire.tread.front_left', analysisId: newId() };
    await world.fetch({ ...report, assetId, url: sandboxAddress(name as SandboxName), sandbox });
    const [result] = await world.results(assetId, 1, 60_000);
    return { ...report, assetId, result: result! };
  }

  it.each(SANDBOX_NAMES)('%s gives its bytes or its failure, with nothing to resolve', async (name) => {
    const { sha256, atFetch, errorCode } = sandboxPhotograph(name);
    const { result } = await resultOf(name, name);
    expect([result.errorCode, result.sha256]).toEqual(atFetch ? [errorCode, undefined] : ['', sha256]);
  });

  it('are stored like fetched images, so that pages can show them', async () => {
    const { assetId, result } = await resultOf('tread-front-left', 'tread-front-left');
    const [asset] = await world.sql<{ origin: string; sha256: Buffer }>('SELECT origin, sha256 FROM assets WHERE asset_id = $1', [assetId]);
    expect([asset!.origin, asset!.sha256.toString('hex')]).toEqual(['url', result.sha256]);
  });

  it('lead nowhere where the ledger names no photograph', async () => {
    const { result } = await resultOf('tread-front-left', undefined);
    expect([result.errorCode, result.sha256]).toEqual(['image_unreachable', undefined]);
  });

  it('fail where a newer ledger names one that this release does not know', async () => {
    expect((await resultOf('tread-front-left', 'tread-of-tomorrow')).result.errorCode).toBe('image_unreachable');
  });
});

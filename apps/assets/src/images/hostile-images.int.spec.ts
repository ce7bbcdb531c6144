import { newId } from '@tire/kernel';
import { changedImages, eventually, hostileImages, type HostileImage, sampled } from '@tire/test-harness';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startImageHost, startWorld } from '../testing/world';

const SLOT = 'tire.tread.front_left';
const AT_ONCE = 16;
/** `npm run test:long` changes 10,000. */
const CHANGED = Number(process.env['HOSTILE_IMAGES'] ?? 100);
const ROOT = join(__dirname, '../../../..');
const PEAK_MIB_MAX = 300;
/** Registrations hold 160 MB of it. Beside it the process that decodes may have 640 MiB; the chart allows 1,280 MiB. */
const PEAK_CROWDED_MIB_MAX = 512;
const LARGEST_AT_ONCE = 8;
/** The timeout allows for a busy machine. */
const PATIENCE_MS = 120_000;
const REASONS = {
  image_format_unsupported: /neither JPEG nor PNG/,
  image_undecodable: /cannot be read/,
  image_too_large: /larger than/,
};

/** The peak resident memory of the process, from the kernel. */
async function peakMemoryMib({ pid }: ChildProcess): Promise<number> {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

/** The service runs in a process of its own, so that its memory can be measured. */
describe('hostile images and the API of assets', () => {
  const images = hostileImages();
  let host: Awaited<ReturnType<typeof startImageHost>>;
  let world: Awaited<ReturnType<typeof startWorld>>;
  let service: ChildProcess;

  beforeAll(async () => {
    host = await startImageHost();
    world = await startWorld(host);
    await world.app.close();
    // Built as for production: a compiler in the process would take as much memory as the service.
    execFileSync(process.execPath, ['deploy/build.mjs'], { cwd: ROOT });
    const env = { ...process.env, ...world.environment, LOG_LEVEL: 'error' };
    service = spawn(process.execPath, ['dist/apps/assets/src/main.js'], { cwd: ROOT, env, stdio: 'inherit' });
    const health = `http://127.0.0.1:${world.environment.OPERATIONS_PORT}/health/ready`;
    await eventually(async () => (await fetch(health).catch(() => undefined))?.ok);
    console.log(`The service at rest: ${(await peakMemoryMib(service)).toFixed(0)} MiB at most`);
  });

  afterAll(async () => {
    const ended = service && once(service, 'exit');
    service?.kill();
    await ended;
    await world?.stop();
    await host?.stop();
  });

  /** Every n-th image. The unit tests of image-content judge the bytes of all of them. */
  const forEach = async (every: number, verdictOf: (image: HostileImage) => Promise<string>): Promise<string[]> => {
    const waiting = [...sampled(images, every)];
    const wrong: string[] = [];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const verdict = await verdictOf(next);
        if (verdict !== next.verdict) wrong.push(`${next.name}: ${verdict}, not ${next.verdict}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return wrong;
  };

  const expectLittleMemory = async (after: string, mibMax = PEAK_MIB_MAX): Promise<void> => {
    const peakMib = await peakMemoryMib(service);
    console.log(`Hostile images, ${after}: ${peakMib.toFixed(0)} MiB at most`);
    expect(peakMib).toBeLessThan(mibMax);
  };

  const uploaded = async (
    { make }: Pick<HostileImage, 'make'>,
    report = { projectId: newId(), reportId: newId() },
    onAsset: (assetId: string) => void = () => undefined,
  ): Promise<string> => {
    const { targets } = await world.assets.issueTargets({ ...report, slotIds: [SLOT] }, { deadlineMs: PATIENCE_MS });
    const { uploadUrl, assetId, slotId } = targets[0]!;
    onAsset(assetId);
    const headers = { 'content-type': 'image/jpeg', 'cache-control': 'max-age=60' };
    const { status } = await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(make()), headers });
    if (status !== 200) return `PUT ${status}`;
    try {
      await world.assets.registerUploads({ ...report, uploads: [{ assetId, slotId }] }, { deadlineMs: PATIENCE_MS });
      return 'accepted';
    } catch (error) {
      const { code, param, message } = error as { code: string; param: string; message: string };
      if (code !== 'validation_error' || param !== 'asset_id') return `${code} ${param}`;
      return Object.entries(REASONS).find(([, text]) => text.test(message))?.[0] ?? message;
    }
  };

  /** Uploads an image, registers it and requests it for display. Returns how that ends. */
  const endOf = async (report: { projectId: string; reportId: string }, bytes: Buffer): Promise<string> => {
    const assetIds: string[] = [];
    const verdict = await uploaded({ make: () => bytes }, report, (assetId) => assetIds.push(assetId));
    if (verdict !== 'accepted') return verdict;
    return world.assets.signDisplay({ projectId: report.projectId, assetId: assetIds[0]! }, { deadlineMs: PATIENCE_MS }).then(
      () => 'shown',
      ({ code }: { code: string }) => (code === 'not_found' ? 'not shown' : code),
    );
  };

  const fetched = async ({ make }: HostileImage): Promise<string> => {
    const [assetId, path] = [newId(), `/${newId()}.jpg`];
    host.answers.set(path, () => ({ status: 200, headers: { 'content-type': 'image/jpeg' }, body: make() }));
    const work = { projectId: newId(), reportId: newId(), slotId: SLOT, assetId, url: `${host.origin}${path}`, analysisId: newId() };
    await world.fetch(work);
    const [answer] = await world.results(assetId, 1, PATIENCE_MS);
    host.answers.delete(path);
    return answer!.errorCode || 'accepted';
  };

  it('are more than 200', () => {
    expect(images.length).toBeGreaterThan(200);
    expect(new Set(images.map(({ name }) => name)).size).toBe(images.length);
  });

  it('are each registered or refused correctly', async () => {
    expect(await forEach(4, uploaded)).toEqual([]);
    await expectLittleMemory('registered');
  }, 240_000);

  it('with a few bytes changed are registered or refused, and shown or not', async () => {
    const changed = changedImages(CHANGED);
    const ends = new Map<string, number>();
    /** The iterator is shared: each image is taken once. */
    const work = async () => {
      for (const { bytes } of changed) {
        const report = { projectId: newId(), reportId: newId() };
        const end = await endOf(report, bytes);
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    console.log('Images with changed bytes:', Object.fromEntries(ends));
    const known = new Set([...Object.keys(REASONS), 'shown', 'not shown']);
    expect([...ends.keys()].filter((end) => !known.has(end))).toEqual([]);
    await expectLittleMemory('and with changed bytes');
  }, 3_600_000);

  it('are each fetched or refused correctly', async () => {
    expect(await forEach(6, fetched)).toEqual([]);
    await expectLittleMemory('fetched');
  }, 240_000);

  it('of the largest size, many at the same time, need little memory', async () => {
    const whole = Buffer.alloc(20 * 1024 * 1024);
    images
      .find(({ verdict }) => verdict === 'accepted')!
      .make()
      .copy(whole);
    const largest: HostileImage = { name: 'the largest', verdict: 'accepted', make: () => whole };
    const verdicts = await Promise.all(Array.from({ length: LARGEST_AT_ONCE }, () => [fetched(largest), uploaded(largest)]).flat());
    // On a busy machine some of the 160 MB arrive after the timeout.
    expect(verdicts.filter((verdict) => verdict !== 'accepted' && verdict !== 'image_fetch_timeout')).toEqual([]);
    await expectLittleMemory('and many of 20 MB at the same time', PEAK_CROWDED_MIB_MAX);
  }, 240_000);

  it('leave the service alive', () => expect(service.exitCode).toBeNull());
});

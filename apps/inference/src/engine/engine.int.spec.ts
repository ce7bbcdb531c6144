import { eventually, sampled } from '@tire/test-harness';
import { copyFile, cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { decodeImage } from '../imaging/decode';
import type { Operation } from '../models/manifest';
import type { Outcome } from '../models/outcome';
import { drawnSamples, type Samples } from '../testing/samples.fixture';
import { Engine, type EngineOptions } from './engine';
import { loadRepository, type ModelFolder } from '../models/repository';
import { JobBroke, JobKilled } from './job-faults';
import { decodeLimits, ModelWorker, RESTARTS_MAX } from './model-worker';

const MODELS = join(__dirname, '../../models');
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const TREAD_ONLY = { operations: ['tire.tread'] as const };
const never = new AbortController().signal;

const engines: Engine[] = [];
function startEngine(changes: Partial<EngineOptions> = {}): Engine {
  const options: EngineOptions = {
    repository: MODELS,
    operations: ['tire.tread', 'tire.sidewall'],
    execution: { requested: ['cpu'], fallback: false },
    queue: { maxWaiting: 16, deadlineMs: 60_000 },
    pollEveryMs: 600_000,
    ...changes,
  };
  const engine = new Engine(options, silent, { batchSent: () => undefined, rejected: () => undefined, swapped: () => undefined });
  engines.push(engine);
  engine.start();
  return engine;
}

const outcomeOf = (engine: Engine, operation: Operation, bytes: Buffer): Promise<Outcome> =>
  engine.use(operation, never, async (worker) => {
    return (await worker.analyze(await decodeImage(bytes, decodeLimits(worker.model)), 'project')).outcome;
  });

async function treadOf(engine: Engine, bytes: Buffer) {
  const outcome = await outcomeOf(engine, 'tire.tread', bytes);
  if (outcome.kind !== 'tread') throw new Error(`no tread: ${JSON.stringify(outcome)}`);
  return outcome.measurement;
}

const refusal = (engine: Engine) =>
  eventually(async () => {
    try {
      engine.assertReady();
      return undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      return /loading|starting/.test(message) ? undefined : message;
    }
  });

let samples: Samples;
beforeAll(async () => {
  samples = await drawnSamples();
});
afterAll(() => Promise.all(engines.map((engine) => engine.stop())));

describe('both models in their processes', () => {
  let engine: Engine;
  let measuredPlain: ReturnType<typeof treadOf> | undefined;
  /** The front left tread as it was drawn, measured once. */
  const plainTread = () => (measuredPlain ??= samples.read('tread', 'front_left').then((bytes) => treadOf(engine, bytes)));
  beforeAll(() => {
    engine = startEngine();
  });

  it('is ready once the golden images give the numbers of the manifests', async () => {
    expect(() => engine.assertReady()).toThrow();
    await Promise.all([engine.onceReady('tire.tread'), engine.onceReady('tire.sidewall')]);
    expect(() => engine.assertReady()).not.toThrow();
  }, 120_000);

  it.each(['front_left', 'front_right', 'rear_left', 'rear_right'])(
    'measures the rendered tread %s within a millimetre and a half',
    async (position) => {
      const { truth } = samples.find('tread', position);
      if (!('depthsMm' in truth)) throw new Error('not a tread');
      const measurement = await treadOf(engine, await samples.read('tread', position));
      expect(measurement.individualRemainingDepthMm).toHaveLength(truth.depthsMm.length);
      truth.depthsMm.forEach((depthMm, i) => expect(Math.abs(measurement.individualRemainingDepthMm[i]! - depthMm)).toBeLessThan(1.5));
      expect(measurement.grooveMasks.map(({ depthMm }) => depthMm)).toEqual(measurement.individualRemainingDepthMm);
      measurement.individualRemainingDepthMm.forEach((depthMm, i) => {
        const { lowMm, highMm } = measurement.individualDepthInterval[i]!;
        expect(lowMm <= depthMm && depthMm <= highMm && lowMm < highMm).toBe(true);
      });
      expect(measurement.baldZones).toMatchObject({ wornSmooth: false });
      for (const { polygonXyNorm } of measurement.grooveMasks) {
        expect(polygonXyNorm.length).toBeLessThanOrEqual(200);
        expect(polygonXyNorm.every(({ x, y }) => x >= 0 && x <= 1 && y >= 0 && y <= 1)).toBe(true);
      }
    },
  );

  it.each(sampled(['front_left', 'front_right', 'rear_left', 'rear_right'], 4))('reads the rendered sidewall %s', async (position) => {
    const outcome = await outcomeOf(engine, 'tire.sidewall', await samples.read('sidewall', position));
    expect(outcome).toMatchObject({
      kind: 'sidewall',
      measurement: { size: { sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch: 17 } },
    });
  });

  it('refuses images without tread and sidewall', async () => {
    const black = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#000' } })
      .jpeg()
      .toBuffer();
    expect(await outcomeOf(engine, 'tire.tread', black)).toEqual({
      kind: 'error',
      errorCode: 'tread_not_found',
      reasons: ['too_dark', 'not_a_tread'],
    });
    const [tread, sidewall] = [await samples.read('tread', 'front_left'), await samples.read('sidewall', 'front_left')];
    expect(await outcomeOf(engine, 'tire.sidewall', tread)).toEqual({
      kind: 'error',
      errorCode: 'sidewall_not_found',
      reasons: ['tread_in_sidewall_slot'],
    });
    expect(await outcomeOf(engine, 'tire.tread', sidewall)).toEqual({
      kind: 'error',
      errorCode: 'tread_not_found',
      reasons: ['wheel_in_tread_slot'],
    });
  });

  it('refuses a black image of 50 megapixels like a small one', async () => {
    const black = await sharp({ create: { width: 8660, height: 5774, channels: 3, background: '#000' } })
      .jpeg()
      .toBuffer();
    expect(await outcomeOf(engine, 'tire.tread', black)).toEqual({
      kind: 'error',
      errorCode: 'tread_not_found',
      reasons: ['too_dark', 'not_a_tread'],
    });
    expect(await outcomeOf(engine, 'tire.sidewall', black)).toEqual({
      kind: 'error',
      errorCode: 'sidewall_not_found',
      reasons: ['too_dark'],
    });
  });

  it('measures a tread of 50 megapixels like one of 1 megapixel', async () => {
    const bytes = await samples.read('tread', 'front_left');
    const plain = await plainTread();
    const { width, height } = await sharp(bytes).metadata();
    const factor = Math.sqrt(50e6 / (width * height));
    const large = await sharp(bytes)
      .resize(Math.floor(width * factor), Math.floor(height * factor))
      .jpeg({ quality: 95 })
      .toBuffer();
    const measured = await treadOf(engine, large);
    expect(measured.grooveMasks).toHaveLength(plain.grooveMasks.length);
    expect(Math.abs(measured.aggregatedRemainingDepthMm! - plain.aggregatedRemainingDepthMm!)).toBeLessThan(0.6);
  });

  it('measures stored pixels: an EXIF rotation moves no coordinate', async () => {
    const plain = await plainTread();
    const tagged = await treadOf(
      engine,
      await sharp(await samples.read('tread', 'front_left'))
        .withMetadata({ orientation: 6 })
        .jpeg({ quality: 98 })
        .toBuffer(),
    );
    expect(tagged.tireRotationDegClockwise).toBeCloseTo(plain.tireRotationDegClockwise!, 0);
    expect(tagged.grooveMasks[0]!.polygonXyNorm[0]!.x).toBeCloseTo(plain.grooveMasks[0]!.polygonXyNorm[0]!.x, 1);
  });

  const KINDS: readonly (readonly [string, (image: Sharp) => Sharp])[] = [
    ['CMYK', (image) => image.toColourspace('cmyk').jpeg({ quality: 98 })],
    ['greyscale', (image) => image.greyscale().jpeg({ quality: 98 })],
    ['16-bit', (image) => image.toColourspace('rgb16').png()],
    ['16-bit grey', (image) => image.greyscale().toColourspace('grey16').png()],
    ['transparent', (image) => image.ensureAlpha(1).png()],
    ['palette', (image) => image.png({ palette: true, colours: 128 })],
  ];
  it.each(sampled(KINDS, 2))('measures a %s image like any other', async (_kind, convert) => {
    const bytes = await samples.read('tread', 'front_left');
    const [plain, measured] = [await plainTread(), await treadOf(engine, await convert(sharp(bytes)).toBuffer())];
    expect(measured.grooveMasks).toHaveLength(plain.grooveMasks.length);
    expect(Math.abs(measured.aggregatedRemainingDepthMm! - plain.aggregatedRemainingDepthMm!)).toBeLessThan(0.6);
  });

  it.each([
    ['SIGKILL', JobKilled],
    ['SIGABRT', JobBroke],
  ] as const)('rejects the job of a process that ends with %s and serves the next one with a new process', async (how, error) => {
    const worker = await engine.use('tire.tread', never, async (lent) => lent);
    const image = await decodeImage(await samples.read('tread', 'front_left'), decodeLimits(worker.model));
    const broken = worker.analyze(image, 'project');
    process.kill(worker.pid!, how);
    await expect(broken).rejects.toBeInstanceOf(error);
    expect(worker.state.kind).toBe('starting');
    await worker.whenReady(never);
    expect((await worker.analyze(image, 'project')).outcome.kind).toBe('tread');
  });

  it('kills a process that stands still, which other images and models do not notice', async () => {
    const worker = await engine.use('tire.tread', never, async (lent) => lent);
    const image = await decodeImage(await samples.read('tread', 'front_left'), decodeLimits(worker.model));
    const stuck = worker.pid!;
    worker.limits = { cpuMs: 60_000, wallMs: 500 };
    process.kill(stuck, 'SIGSTOP');
    const [broken, next] = [worker.analyze(image, 'project'), worker.analyze(image, 'project').catch((error: Error) => error.name)];
    await expect(broken).rejects.toThrow('no end within 500 ms');
    expect(await next).toBe('ProcessLost');
    // A tread, because its refusal is the quickest answer of that model.
    expect(await outcomeOf(engine, 'tire.sidewall', await samples.read('tread', 'front_left'))).toMatchObject({
      reasons: ['tread_in_sidewall_slot'],
    });
    expect((await outcomeOf(engine, 'tire.tread', await samples.read('tread', 'front_left'))).kind).toBe('tread');
    expect(worker.pid).not.toBe(stuck);
  });

  it('runs an image alone in a process of its own, beside the others', async () => {
    const bytes = await samples.read('tread', 'front_left');
    const alone = await engine.useAlone('tire.tread', never, async (worker) => {
      const { outcome } = await worker.analyze(await decodeImage(bytes, decodeLimits(worker.model)), 'project');
      expect(await engine.useAlone('tire.tread', never, async () => undefined)).toBe('busy');
      return [outcome.kind, worker.pid, await engine.use('tire.tread', never, async (lent) => lent.pid)];
    });
    if (alone === 'busy') throw new Error('an image runs alone already');
    const [kind, alonePid, regularPid] = alone;
    expect(kind).toBe('tread');
    expect(alonePid).not.toBe(regularPid);
  });

  it('gives models a lower priority than the main process and the decoder of camera images', async () => {
    const pid = await engine.use('tire.tread', never, async (worker) => worker.pid!);
    expect(getPriority(pid)).toBe(Math.min(19, getPriority() + 5));
  });
});

const workerOf = (model: ModelFolder) =>
  new ModelWorker(model, {
    execution: { requested: ['cpu'], fallback: false },
    queue: { maxWaiting: 16, deadlineMs: 60_000 },
    alone: false,
    report: () => undefined,
    batchSent: () => undefined,
    rejected: () => undefined,
  });

describe('not ready', () => {
  const copyOfModels = async () => {
    const repository = await mkdtemp(join(tmpdir(), 'models-'));
    await cp(MODELS, repository, { recursive: true });
    return repository;
  };
  const rewritten = async (change: (manifest: { golden: { expected: Record<string, number> } }) => void) => {
    const repository = await copyOfModels();
    const path = join(repository, 'tread/manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    change(manifest);
    await writeFile(path, JSON.stringify(manifest));
    return repository;
  };

  it('with a missing execution provider', async () => {
    expect(await refusal(startEngine({ ...TREAD_ONLY, execution: { requested: ['cuda', 'cpu'], fallback: false } }))).toMatch(/cuda/);
  });

  it('but ready on the CPU where the fallback is allowed', async () => {
    const engine = startEngine({ ...TREAD_ONLY, execution: { requested: ['cuda'], fallback: true } });
    expect(await engine.use('tire.tread', never, async ({ providers }) => providers)).toEqual(['cpu']);
    expect(() => engine.assertReady()).not.toThrow();
  });

  it('with other figures of the golden image', async () => {
    const repository = await rewritten((manifest) => (manifest.golden.expected['aggregated_depth_mm'] = 2));
    expect(await refusal(startEngine({ ...TREAD_ONLY, repository }))).toMatch(/golden image: aggregated_depth_mm is/);
  });

  it('with a file of another sha256', async () => {
    const repository = await copyOfModels();
    await copyFile(join(repository, 'sidewall/golden.jpg'), join(repository, 'tread/golden.jpg'));
    expect(await refusal(startEngine({ ...TREAD_ONLY, repository }))).toMatch(/golden.jpg has sha256/);
  });

  it('with a process that never lives long enough to load its model', async () => {
    const [model] = await loadRepository(MODELS, ['tire.tread']);
    const worker = workerOf(model!);
    worker.start();
    const ready = worker.whenReady(never).catch((error: Error) => error.message);
    const killed = new Set<number>();
    await eventually(() => {
      const { pid } = worker;
      if (pid !== undefined && !killed.has(pid)) {
        killed.add(pid);
        process.kill(pid, 'SIGKILL');
      }
      return worker.state.kind === 'refused';
    });
    expect(await ready).toMatch(/ended with SIGKILL/);
    expect(killed.size).toBe(RESTARTS_MAX + 1);
    await worker.stop();
  });

  it('lets those go who wait for a process that another one replaces', async () => {
    const [model] = await loadRepository(MODELS, ['tire.tread']);
    const worker = workerOf(model!);
    worker.start();
    const ready = worker.whenReady(never).catch((error: Error) => error.message);
    worker.abandon();
    expect(await ready).toMatch(/replaced or stopped/);
    await worker.stop();
  });

  it('without a repository', async () => {
    expect(await refusal(startEngine({ repository: '/nowhere' }))).toMatch(/cannot be read/);
  });
});

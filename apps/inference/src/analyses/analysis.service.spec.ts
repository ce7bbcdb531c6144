import type { assetsApi } from '@tire/contracts/grpc';
import type { Attempts, Publisher } from '@tire/eventing';
import type { PromiseClient } from '@tire/platform';
import { DecoderKilled, DecoderLost, type WrittenImage } from '@tire/platform/images';
import { newId } from '@tire/kernel';
import { END, eventually, header, png } from '@tire/test-harness';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import timers from 'node:timers/promises';
import sharp from 'sharp';
import type { Engine } from '../engine/engine';
import type { ModelWorker } from '../engine/model-worker';
import { decoder } from '../imaging/decode';
import type { HandedImage } from '../imaging/handed-image';
import { JobRefused } from '../engine/job-queue';
import { JobBroke, JobKilled, ProcessLost } from '../engine/job-faults';
import { ModelFault } from '../models/repository';
import { AnalysisService } from './analysis.service';
import type { Metrics } from './metrics';

let left = 0;
const ages: number[] = [];
const context = { isFirst: true, signal: new AbortController().signal, leavePlace: () => void (left += 1) };
beforeEach(() => {
  left = 0;
  ages.length = 0;
  stored = Buffer.from('bytes');
});
const work = { projectId: newId(), reportId: newId(), slotId: 'tire.tread.front_left', assetId: newId(), analysisId: newId() };

let stored: Buffer = Buffer.from('bytes');
let storage: Server;
beforeAll(async () => {
  storage = createServer((_, response) => response.end(stored));
  await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve));
});
afterAll(() => storage.close());

/** `use` of the engine is called twice for an image: before its fetch and for its attempt. */
function serviceOn(engine: Pick<Engine, 'use' | 'useAlone'>, number: number, ended: (how: string) => void = () => undefined) {
  const url = `http://127.0.0.1:${(storage.address() as AddressInfo).port}/`;
  return new AnalysisService(
    { ...engine, modelFor: () => undefined } as unknown as Engine,
    { signRead: async () => ({ url }) } as unknown as PromiseClient<assetsApi.AssetServiceClient>,
    {} as Publisher,
    {
      queueAge: (_: string, ageMs: number) => ages.push(ageMs),
      timed: (_: string, __: string, run: () => unknown) => run(),
    } as unknown as Metrics,
    { begin: async () => ({ number, end: async (how: string) => ended(how) }) } as unknown as Attempts,
  );
}

/** The second time that the engine is used, for the image, it fails. */
async function measured(failure: Error, number = 1, failing: () => void = () => undefined): Promise<{ error: Error; end: string }> {
  let end = 'none';
  let uses = 0;
  const use = async <T>(): Promise<T> => {
    uses += 1;
    if (uses > 1) {
      failing();
      throw failure;
    }
    return undefined as T;
  };
  const useAlone: Engine['useAlone'] = async (_operation, _signal, _work, begins) => {
    begins?.();
    throw failure;
  };
  const service = serviceOn({ use, useAlone }, number, (how) => (end = how));
  const error = await service.measure('tire.tread', work, context).then(
    () => new Error('measured'),
    (cause: unknown) => cause as Error,
  );
  return { error, end };
}

it.each([
  [new ProcessLost('gone'), 'NotNow', 'unharmed'],
  [new JobRefused('queue_full', '16 images wait already'), 'NotNow', 'unharmed'],
  [new Error('the process that decodes: spawn EAGAIN'), 'Error', 'unharmed'],
  [new JobKilled('ended with SIGKILL'), 'JobKilled', 'killed'],
  [new DecoderKilled('ended with SIGKILL'), 'DecoderKilled', 'killed'],
  [new JobBroke('ended with SIGSEGV'), 'JobBroke', 'broke'],
  [new DecoderLost('ended with SIGSEGV'), 'DecoderLost', 'broke'],
])('after %s the delivery ends with %s and the attempt %s', async (failure, name, how) => {
  const { error, end } = await measured(failure);
  expect(error.name).toBe(name);
  expect(end).toBe(how);
});

it('a refused model uses up no delivery of an image, whose place is held meanwhile', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  // Fake timers leave the promises of Node alone.
  const pause = jest.spyOn(timers, 'setTimeout').mockImplementation(((ms: number) => new Promise((end) => setTimeout(end, ms))) as never);
  try {
    let [isRefused, isOver] = [false, false];
    const refused = measured(new ModelFault('tread', 'ended with SIGKILL'), 1, () => (isRefused = true)).finally(() => (isOver = true));
    // The fetch before it takes real time. The hold begins in the turn after the refusal.
    for (let wasRefused = false; !wasRefused; wasRefused = isRefused) await new Promise((resolve) => setImmediate(resolve));
    await jest.advanceTimersByTimeAsync(4_999);
    expect(isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await refused).toMatchObject({ error: { name: 'NotNow', delayMs: 0 }, end: 'unharmed' });
  } finally {
    pause.mockRestore();
    jest.useRealTimers();
  }
});

it('a model that cannot be loaded for one image alone uses up deliveries of this image', async () => {
  const { error, end } = await measured(new ModelFault('tread', 'ended with SIGKILL'), 2);
  expect([error.name, end]).toEqual(['ModelFault', 'unharmed']);
});

it('an image that nobody waits for keeps its pixels until its batch has ended', async () => {
  stored = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#456' } })
    .jpeg()
    .toBuffer();
  const abort = new AbortController();
  let handed: HandedImage | undefined;
  let endBatch = (_: Error): void => undefined;
  const input = { long_side_px: 64, min_short_side_px: 16, max_pixels: 10_000 };
  const worker = {
    model: { manifest: { input } },
    analyze: (image: HandedImage) => {
      handed = image;
      return new Promise<never>((_, reject) => (endBatch = reject));
    },
  } as unknown as ModelWorker;
  const use: Engine['use'] = (_operation, _signal, run) => run(worker);
  const service = serviceOn({ use, useAlone: () => Promise.reject(new Error('not alone')) }, 1);
  const measuring = service.measure('tire.tread', work, { ...context, signal: abort.signal }).catch((error: unknown) => error);
  await eventually(() => handed !== undefined);
  const { file } = handed as WrittenImage;
  abort.abort(new Error('no longer'));
  expect([await measuring, existsSync(file)]).toEqual([new Error('no longer'), true]);
  endBatch(new ProcessLost('gone'));
  await eventually(() => !existsSync(file));
  decoder.stop();
});

it('an image that runs alone leaves its place to others, and one that runs beside others does not', async () => {
  await measured(new JobBroke('ended with SIGSEGV'), 1);
  expect(left).toBe(0);
  await measured(new JobBroke('ended with SIGSEGV'), 2);
  expect(left).toBe(1);
});

it('an image that finds the process for one image busy keeps its place until the end of its attempt is written', async () => {
  const events: string[] = [];
  const use = async <T>(): Promise<T> => undefined as T;
  const service = serviceOn({ use, useAlone: async () => 'busy' }, 2, (how) => events.push(`${how}, places left: ${left}`));
  await expect(service.measure('tire.tread', work, context)).rejects.toMatchObject({ name: 'NotNow' });
  expect(events).toEqual(['unharmed, places left: 0']);
  expect(left).toBe(0);
});

it('a heavy image leaves its place to others, and only where it has the one for heavy images', async () => {
  stored = png(header(5_000, 4_000, { depth: 16, colour: 6, interlace: 1 }), END);
  let end = (): void => undefined;
  let uses = 0;
  const use = async <T>(): Promise<T> => {
    uses += 1;
    if (uses === 2) await new Promise<void>((resolve) => (end = resolve));
    if (uses % 2 === 0) throw new JobBroke('ended with SIGSEGV');
    return undefined as T;
  };
  const service = serviceOn({ use, useAlone: () => Promise.reject(new Error('not alone')) }, 1);
  const first = service.measure('tire.tread', work, context).catch(() => undefined);
  while (uses < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(left).toBe(1);
  const second = service.measure('tire.tread', { ...work, projectId: newId(), assetId: newId(), analysisId: newId() }, context);
  await expect(second).rejects.toMatchObject({ name: 'NotNow' });
  expect(left).toBe(1);
  end();
  await first;
});

it('the images of a project run alone from the first attempt on after two of them broke the shared process', async () => {
  let uses = 0;
  const attempts: string[] = [];
  const use = async <T>(): Promise<T> => {
    uses += 1;
    if (uses % 2 === 0) throw attempts.push('shared') && new JobBroke('ended with SIGSEGV');
    return undefined as T;
  };
  const useAlone = async (): Promise<'busy'> => {
    attempts.push('alone');
    uses += 1;
    return 'busy';
  };
  const service = serviceOn({ use, useAlone }, 1);
  const attempt = (projectId: string, analysisId: string) =>
    service.measure('tire.tread', { ...work, projectId, analysisId }, context).catch(() => undefined);
  const [breaking, other, image] = [newId(), newId(), newId()];
  for (const analysisId of [image, image, newId(), newId()]) await attempt(breaking, analysisId);
  await attempt(other, newId());
  expect(attempts).toEqual(['shared', 'shared', 'shared', 'alone', 'shared']);
});

it.each([
  ['counts in the first delivery of the first request', true, 20_000, 1],
  ['does not count again in a later delivery', false, 20_000, 0],
  ['does not count again in a repeated request', true, undefined, 0],
])('the wait of an image %s', async (_, isFirst, waitedMs, times) => {
  const service = serviceOn({ use: () => Promise.reject(new Error('away')), useAlone: () => Promise.reject(new Error('away')) }, 1);
  const requestedAt = waitedMs === undefined ? undefined : new Date(Date.now() - waitedMs).toISOString();
  await expect(service.measure('tire.tread', { ...work, requestedAt }, { ...context, isFirst })).rejects.toThrow('away');
  expect(ages).toHaveLength(times);
  for (const ageMs of ages) expect(ageMs).toBeGreaterThanOrEqual(20_000);
});

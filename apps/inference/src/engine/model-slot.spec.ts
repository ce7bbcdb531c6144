import type { ModelFolder } from '../models/repository';
import { ModelSlot } from './model-slot';
import type { ModelWorker, WorkerState } from './model-worker';

const model = { fingerprint: 'a', manifest: { name: 'tire-tread' } } as unknown as ModelFolder;
const REFUSED: WorkerState = { kind: 'refused', reason: 'golden image: no end in time' };

/** A worker as far as a slot looks at it. */
const workerIn = (state: WorkerState): ModelWorker =>
  ({
    model,
    state,
    start: () => undefined,
    stop: async () => undefined,
    abandon: () => undefined,
    whenReady: async () => undefined,
  }) as unknown as ModelWorker;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('tries a refused model again, each time after twice the time', async () => {
  const started: ModelWorker[] = [];
  const slot = new ModelSlot(() => {
    const worker = workerIn(started.length < 2 ? REFUSED : { kind: 'ready' });
    started.push(worker);
    return worker;
  });
  expect(await slot.install(model, false)).toBe('first');
  expect(await slot.install(model, false)).toBe('known');
  expect(slot.retryInMs).toBe(15_000);
  jest.advanceTimersByTime(15_000);
  expect(await slot.install(model, false)).toBe('first');
  expect(await slot.install(model, false)).toBe('known');
  expect(slot.retryInMs).toBe(30_000);
  jest.advanceTimersByTime(29_000);
  expect(await slot.install(model, false)).toBe('known');
  jest.advanceTimersByTime(1_000);
  expect(await slot.install(model, false)).toBe('first');
  expect(slot.worker?.state.kind).toBe('ready');
  expect(await slot.install(model, false)).toBe('known');
  expect(started).toHaveLength(3);
});

it('lets those go who wait for a worker that another one replaces', async () => {
  const next = { ...model, fingerprint: 'b' } as ModelFolder;
  const abandoned: string[] = [];
  const slot = new ModelSlot(
    (of) =>
      ({
        ...workerIn({ kind: of === model ? 'starting' : 'ready' }),
        model: of,
        abandon: () => abandoned.push(of.fingerprint),
      }) as unknown as ModelWorker,
  );
  expect(await slot.install(model, false)).toBe('first');
  expect(await slot.install(next, false)).toBe('taken');
  expect([abandoned, slot.worker?.model.fingerprint]).toEqual([['a'], 'b']);
});

it('runs one image alone at a time', async () => {
  const alone: ModelWorker[] = [];
  const slot = new ModelSlot((_, isAlone) => {
    const worker = workerIn({ kind: 'ready' });
    if (isAlone) alone.push(worker);
    return worker;
  });
  await slot.install(model, false);
  const never = new AbortController().signal;
  let begun = 0;
  const measure = () =>
    slot.useAlone(
      never,
      async () => 'measured',
      () => (begun += 1),
    );
  expect(await Promise.all([measure(), measure()])).toEqual(['measured', 'busy']);
  expect(begun).toBe(1);
  expect(await measure()).toBe('measured');
  expect(alone).toHaveLength(2);
});

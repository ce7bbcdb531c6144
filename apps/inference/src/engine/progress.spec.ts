import type { ModelFolder } from '../models/repository';
import { Engine } from './engine';
import { LOADING } from './job-limits';
import type { ModelSlot } from './model-slot';
import { ModelWorker, type WorkerOptions } from './model-worker';

const model = { manifest: { name: 'tire-tread', operation: 'tire.tread', batch: { size: 1 } } } as unknown as ModelFolder;
const execution = { requested: ['cpu'], fallback: false } as const;
const queue = { maxWaiting: 1, deadlineMs: 1 };
const nothing = () => undefined;
const options: WorkerOptions = { execution, queue, alone: false, report: nothing, batchSent: nothing, rejected: nothing };
/** A kill takes effect within this time. */
const KILL_MARGIN_MS = 60_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('a worker without progress for longer than its limits and a kill may take ends the liveness of the service', () => {
  const engine = new Engine(
    { repository: '', operations: ['tire.tread'], execution, queue, pollEveryMs: 1 },
    { info: nothing, warn: nothing, error: nothing },
    { batchSent: nothing, rejected: nothing, swapped: nothing },
  );
  const [slot] = (engine as unknown as { slots: Map<string, ModelSlot> }).slots.values();
  // It loads its model, and its process never answers.
  const worker = new ModelWorker(model, options);
  jest.spyOn(slot!, 'workers', 'get').mockReturnValue([worker]);
  jest.advanceTimersByTime(LOADING.wallMs + KILL_MARGIN_MS);
  expect(() => engine.assertProgress()).not.toThrow();
  jest.advanceTimersByTime(1);
  expect(() => engine.assertProgress()).toThrow('tire-tread holds work without progress');
  // A refused model holds no work: the others go on.
  worker.abandon();
  expect(() => engine.assertProgress()).not.toThrow();
});

import type { WorkQueues } from '@tire/eventing';
import { systemClock } from '@tire/kernel';
import type { Database } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { SANDBOX_KIND, WORK_KINDS } from '../domain/work';
import { Dispatcher } from './dispatcher';

it('nudges the sandbox for its own photographs only', () => {
  const dispatcher = new Dispatcher({} as Database, {} as WorkQueues, { fetchesPerProject: 1 }, systemClock);
  const nudged = jest.fn();
  dispatcher.onSandboxNudge(nudged);
  dispatcher.nudge(WORK_KINDS);
  expect(nudged).not.toHaveBeenCalled();
  dispatcher.nudge([SANDBOX_KIND]);
  expect(nudged).toHaveBeenCalledTimes(1);
});

describe('waiting work', () => {
  const demand = jest.fn();
  const asSystem = jest.fn();
  const systemQuery = jest.fn();
  let dispatcher: Dispatcher;

  function start({ waits = true, mayHaveMore, asking }: { waits?: boolean; mayHaveMore: boolean; asking: number }): void {
    demand.mockReset().mockImplementation(() => Promise.resolve({ untaken: 0, held: 1, asking }));
    asSystem.mockReset().mockImplementation(() => Promise.resolve('later'));
    systemQuery.mockReset().mockImplementation(() => Promise.resolve([{ waits, mayHaveMore }]));
    const database = { dataSource: { isInitialized: true }, systemQuery, asSystem } as unknown as Database;
    dispatcher = new Dispatcher(database, { demand } as unknown as WorkQueues, { fetchesPerProject: 1 }, systemClock);
    dispatcher.onApplicationBootstrap();
  }

  /** So that no lane looks by its own pause. */
  const stopTime = () => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  afterEach(async () => {
    jest.useRealTimers();
    await dispatcher.beforeApplicationShutdown();
  });

  it('begins no transaction while each project has as much handed out as it may', async () => {
    start({ mayHaveMore: false, asking: 1 });
    await eventually(() => systemQuery.mock.calls.length >= 7);
    expect(asSystem).not.toHaveBeenCalled();
  });

  it('reads the database once for each kind while no worker requests work, and again when one does', async () => {
    start({ mayHaveMore: true, asking: 0 });
    await eventually(() => demand.mock.calls.length >= 4 * WORK_KINDS.length);
    expect(systemQuery).toHaveBeenCalledTimes(WORK_KINDS.length);
    expect(asSystem).not.toHaveBeenCalled();
    demand.mockImplementation(() => Promise.resolve({ untaken: 0, held: 1, asking: 1 }));
    await eventually(() => asSystem.mock.calls.length >= WORK_KINDS.length);
    await eventually(() => systemQuery.mock.calls.length > WORK_KINDS.length);
  });

  it('is handed out without another look where nothing waited before its commit, and the end of an analysis makes no look then', async () => {
    stopTime();
    start({ waits: false, mayHaveMore: false, asking: 1 });
    await nextTurn();
    expect(systemQuery).toHaveBeenCalledTimes(WORK_KINDS.length);
    asSystem.mockImplementation(() => Promise.resolve('nothing'));
    dispatcher.freed('tire.tread');
    dispatcher.nudge(['tire.sidewall', 'tire.sidewall']);
    await nextTurn();
    expect(systemQuery).toHaveBeenCalledTimes(WORK_KINDS.length);
    expect(asSystem).toHaveBeenCalledTimes(1);
  });

  it('is handed out once an analysis ends, while other work waits', async () => {
    stopTime();
    start({ mayHaveMore: true, asking: 0 });
    await nextTurn();
    expect(asSystem).not.toHaveBeenCalled();
    demand.mockImplementation(() => Promise.resolve({ untaken: 0, held: 1, asking: 1 }));
    dispatcher.freed('tire.tread');
    await nextTurn();
    expect(asSystem).toHaveBeenCalledTimes(1);
  });
});

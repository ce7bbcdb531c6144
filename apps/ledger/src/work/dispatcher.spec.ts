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

it.each([
  ['while no worker requests work', true, 0],
  ['while each project that waits has as much handed out as it may', false, 1],
])('begins no transaction %s', async (_, mayHaveMore, asking) => {
  const asSystem = jest.fn(() => Promise.resolve(0));
  const demand = jest.fn(() => Promise.resolve({ untaken: 0, held: 1, asking }));
  const systemQuery = jest.fn(() => Promise.resolve([{ waits: true, mayHaveMore }]));
  const database = { dataSource: { isInitialized: true }, systemQuery, asSystem };
  const dispatcher = new Dispatcher(
    database as unknown as Database,
    { demand } as unknown as WorkQueues,
    { fetchesPerProject: 1 },
    systemClock,
  );
  dispatcher.onApplicationBootstrap();
  await eventually(() => systemQuery.mock.calls.length >= 7);
  await dispatcher.beforeApplicationShutdown();
  expect(asSystem).not.toHaveBeenCalled();
});

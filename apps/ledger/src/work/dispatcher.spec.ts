import type { WorkQueues } from '@tire/eventing';
import { systemClock } from '@tire/kernel';
import type { Database } from '@tire/platform';
import { eventually } from '@tire/test-harness';
import { Dispatcher } from './dispatcher';

it('begins no transaction while no worker requests work', async () => {
  const asSystem = jest.fn(() => Promise.resolve(0));
  const demand = jest.fn(() => Promise.resolve({ untaken: 0, held: 1, asking: 0 }));
  const database = { dataSource: { isInitialized: true }, systemQuery: () => Promise.resolve([{}]), asSystem };
  const dispatcher = new Dispatcher(
    database as unknown as Database,
    { demand } as unknown as WorkQueues,
    { fetchesPerProject: 1 },
    systemClock,
  );
  dispatcher.onApplicationBootstrap();
  await eventually(() => demand.mock.calls.length >= 4);
  await dispatcher.beforeApplicationShutdown();
  expect(asSystem).not.toHaveBeenCalled();
});

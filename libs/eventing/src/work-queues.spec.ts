import { EVENTS } from '@tire/contracts/events';
import { BrokerUnavailable, type Broker } from './broker';
import { Publisher } from './publisher';
import { WorkQueues } from './work-queues';

it('work is published by one short attempt, because its sender holds locks and has a next one', async () => {
  const publish = jest.fn(() => Promise.reject(new BrokerUnavailable('no answer')));
  const broker = { publish } as unknown as Broker;
  const message = { projectId: 'a', reportId: 'b', slotId: 'c', assetId: 'd', analysisId: 'e' };
  const work = { message, id: 'once', headers: {} };
  await expect(new WorkQueues(broker, new Publisher(broker)).publish(EVENTS.analyzeTread, work)).rejects.toThrow(BrokerUnavailable);
  expect(publish.mock.calls).toEqual([[expect.objectContaining({ id: 'once' }), 1_000]]);
});

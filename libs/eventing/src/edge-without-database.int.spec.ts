import { EVENTS, type ImageFetched } from '@tire/contracts/events';
import { newId } from '@tire/kernel';
import { eventually, startStallingProxy } from '@tire/test-harness';
import type { ConsumeOptions } from '.';
import { startService } from './testing/service.fixture';
import { Suite } from './testing/suite.fixture';

const recording = (durable: string, taken: string[]): ConsumeOptions<ImageFetched> => ({
  type: EVENTS.imageFetched,
  durable,
  handle: async ({ assetId }) => void taken.push(assetId),
});

describe('an edge without its database', () => {
  let suite: Suite;

  beforeEach(async () => void (suite = await Suite.start()));
  afterEach(() => suite.stop());

  it('stays ready, and takes no messages until the database is back', async () => {
    const url = new URL(suite.database.url);
    const proxy = await startStallingProxy(Number(url.port));
    url.port = String(proxy.port);
    const [atEdge, beside]: [string[], string[]] = [[], []];
    const edge = await startService({ ...suite.addresses, databaseUrl: url.href, edge: true }, recording('edge', atEdge));
    const { publisher } = await suite.service(recording('beside', beside));
    const fact = (assetId: string) => ({ projectId: newId(), reportId: newId(), slotId: 's', assetId, analysisId: newId(), errorCode: '' });
    const publish = (assetId: string) =>
      eventually(() => publisher.publish(EVENTS.imageFetched, fact(assetId), { id: assetId }).then(() => true));
    try {
      await eventually(() => edge.health.isReady());
      await publish('before');
      await eventually(() => atEdge.length === 1 && beside.length === 1);
      proxy.stall();
      await expect(edge.health.checkOf('database')!()).rejects.toThrow();
      expect(await edge.health.isReady()).toBe(true);
      // After the broker returns, a consumer that was active subscribes again.
      await suite.nats.restart();
      await publish('meanwhile');
      await eventually(() => beside.length === 2);
      expect(atEdge).toEqual(['before']);
      proxy.resume();
      await eventually(() => atEdge.length === 2);
    } finally {
      await edge.app.close();
      await proxy.stop();
    }
  });
});

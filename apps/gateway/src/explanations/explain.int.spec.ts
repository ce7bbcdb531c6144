import { CreateReportResponse } from '@tire/contracts/api';
import { GRPC_SERVICES, type ledgerApi, type shareApi } from '@tire/contracts/grpc';
import { newId } from '@tire/kernel';
import { createDataSource, Database, grpcClient } from '@tire/platform';
import { eventually, freePort, spawnTypeScript } from '@tire/test-harness';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startBehind } from '../testing/behind';
import { startGateway } from '../testing/gateway';
import { explainReport, type Sources } from './explain';
import { formatted } from './explanation';

const slotOf = (position: string) => ({ module_type: 'tire', slot: { position, image_type: 'tread' } });

describe('admin report explain', () => {
  let behind: Awaited<ReturnType<typeof startBehind>>;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let sources: Sources & { close(): Promise<void> };

  beforeAll(async () => {
    const port = await freePort();
    behind = await startBehind(`http://127.0.0.1:${port}/api/v1`);
    gateway = await startGateway({ port, addresses: behind.addresses });
    const ledger = grpcClient<ledgerApi.LedgerServiceClient>(GRPC_SERVICES.ledger, behind.addresses.LEDGER_GRPC_URL);
    const share = grpcClient<shareApi.ShareServiceClient>(GRPC_SERVICES.share, behind.addresses.SHARE_GRPC_URL);
    const source = createDataSource({ url: gateway.databaseUrl, poolSize: 1, applicationName: 'test' });
    await source.initialize();
    const close = async () => {
      for (const client of [ledger, share]) client.onApplicationShutdown();
      await source.destroy();
    };
    sources = { database: new Database(source), ledger, share, close };
  }, 120_000);
  afterAll(async () => {
    await sources?.close();
    await gateway?.stop();
    await behind?.stop();
  });

  /** A report of four treads, of which these images are at hand. */
  async function created(key: string, urls: readonly string[]): Promise<string> {
    const positions = ['front_left', 'front_right', 'rear_left', 'rear_right'];
    const images = urls.map((url, index) => ({
      ...slotOf(positions[index]!),
      source: { url: `https://images.example${url}`, client_asset_id: `mine-${index}` },
    }));
    const body = { template: 'tire_4t_0s', images, callback_url: 'https://partner.example/hook' };
    const reply = await gateway.call('POST', '/reports', { key, body });
    return CreateReportResponse.parse(reply.json).report_id;
  }

  it('tells the life of a report, and which service it waits for', async () => {
    const key = await gateway.keyWith(['report:*']);
    const reportId = await created(key, ['/measured/1', '/away/2', '/measured/3', '/hangs/4']);
    await gateway.call('GET', `/reports/${reportId}`, { key });
    const explanation = await eventually(async () => {
      const found = await explainReport(sources, reportId);
      const ended = found.slots.filter(({ phase }) => phase === 'succeeded' || phase === 'failed');
      const isRead = found.life.some(({ service, what }) => service === 'gateway' && what.startsWith('GET'));
      return ended.length === 3 && isRead && found.waits[0]?.what.includes('fetches') && found;
    });
    expect(explanation.waits).toEqual([
      { on: 'assets', what: 'tire.tread.rear_right: assets fetches the image', since: expect.any(String) },
    ]);
    const printed = formatted(explanation);
    expect(printed).toContain(`report ${reportId} of the live project ${explanation.projectId}`);
    expect(printed).toMatch(/ledger: created, by key:/);
    expect(printed).toMatch(/tire\.tread\.front_right {2}failed {2}image_unreachable/);
    expect(printed).toMatch(new RegExp(`gateway: GET .*${reportId} 200`));
    const sorted = explanation.life.map(({ at }) => at);
    expect(sorted).toEqual(sorted.toSorted());
  });

  it('has the callbacks of the report', async () => {
    const reportId = await created(await gateway.keyWith(['report:*']), ['/measured/1', '/measured/2', '/measured/3', '/measured/4']);
    const explanation = await eventually(async () => {
      const found = await explainReport(sources, reportId);
      return found.life.some(({ service }) => service === 'share') && found;
    });
    expect(explanation.analysisStatus).toBe('complete');
    expect(explanation.life.filter(({ service }) => service === 'share').map(({ what }) => what.split(' ')[1])).toContain(
      'report.completed',
    );
    expect(explanation.waits.map(({ on }) => on)).toContain('share');
  });

  it('an unknown report is not found, and a wrong command prints how it is used', async () => {
    await expect(explainReport(sources, newId())).rejects.toMatchObject({ code: 'not_found' });
    const admin = spawnTypeScript(join(__dirname, '../admin.ts'), ['report', 'explain', 'x'], {}, 'pipe');
    const [stderr, [status]] = await Promise.all([text(admin.stderr!), once(admin, 'exit')]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^the id of a report is required\n[^]*report explain ID/);
  });
});

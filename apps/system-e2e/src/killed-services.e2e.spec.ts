import { eventually } from '@tire/test-harness';
import { randomUUID } from 'node:crypto';
import { ImageHost } from './image-host';
import { byAddress, settled, TREADS } from './reports';
import { stackUnderTest } from './stack-under-test';
import { apiOf, systemReady } from './world';

const SERVICES = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share', 'nats', 'postgres'];
const REPORTS_EACH = 2;
const RECOVERED_WITHIN_MS = 120_000;

/**
 * Each process is killed without warning while reports are on their way, and started again as an orchestrator would; the next one
 * is killed as soon as the system takes reports again. Whatever was answered 2xx must end complete and published.
 */
describe('killing a process in mid-report', () => {
  const api = apiOf('test');
  const onTheirWay = new Map<string, string[]>();
  let host: ImageHost;

  /** A partner retries 5xx and refused connections, as the specification tells him to. */
  const created = async (): Promise<string> => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { template: 'tire_4t_0s', images: byAddress(host, TREADS) };
    return eventually(async () => (await api.create(body, headers)).done.report_id, { timeoutMs: RECOVERED_WITHIN_MS });
  };

  beforeAll(async () => {
    await systemReady();
    host = await ImageHost.open();
    for (const service of SERVICES) {
      onTheirWay.set(service, await Promise.all(Array.from({ length: REPORTS_EACH }, created)));
      process.kill(stackUnderTest().pids[service]!, 'SIGKILL');
    }
  }, SERVICES.length * RECOVERED_WITHIN_MS);

  afterAll(async () => {
    await systemReady();
    await host.close();
  });

  it.each(SERVICES)('%s: no report is lost', async (service) => {
    for (const report of onTheirWay.get(service)!) {
      const done = await settled(api, report, RECOVERED_WITHIN_MS);
      expect(done).toMatchObject({ analysis_status: 'complete', publication_status: 'published' });
    }
  });
});

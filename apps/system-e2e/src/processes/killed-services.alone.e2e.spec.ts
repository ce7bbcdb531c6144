import { eventually } from '@tire/test-harness';
import { randomUUID } from 'node:crypto';
import { ImageHost } from '../images/image-host';
import { byAddress, settled, TREADS } from '../reports/reports';
import { stackUnderTest } from '../stack-under-test';
import { apiOf, systemReady } from '../world';

const SERVICES = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share', 'nats', 'postgres'];
/** `npm run test:long` sets more. */
const REPORTS_EACH = Number(process.env['E2E_KILLED_REPORTS'] ?? 1);
const RECOVERED_WITHIN_MS = 120_000;

/**
 * Each process is killed without warning while reports are in progress, and restarted as an orchestrator does. The next process is killed
 * as soon as the system accepts reports again. Every report with a 2xx response must end complete and published.
 */
describe('killing a process during reports', () => {
  const api = apiOf('test');
  const inProgress = new Map<string, string[]>();
  let host: ImageHost;

  /** Retries 5xx and refused connections, as the specification requires of partners. */
  const created = async (): Promise<string> => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { template: 'tire_4t_0s', images: byAddress(host, TREADS) };
    return eventually(async () => (await api.create(body, headers)).done.report_id, { timeoutMs: RECOVERED_WITHIN_MS });
  };

  beforeAll(async () => {
    await systemReady();
    host = await ImageHost.open();
    for (const service of SERVICES) {
      inProgress.set(service, await Promise.all(Array.from({ length: REPORTS_EACH }, created)));
      process.kill(stackUnderTest().pids[service]!, 'SIGKILL');
    }
  }, SERVICES.length * RECOVERED_WITHIN_MS);

  afterAll(async () => {
    await systemReady();
    await host.close();
  });

  it.each(SERVICES)('%s: no report is lost', async (service) => {
    for (const report of inProgress.get(service)!) {
      const done = await settled(api, report, RECOVERED_WITHIN_MS);
      expect(done).toMatchObject({ analysis_status: 'complete', publication_status: 'published' });
    }
  });
});

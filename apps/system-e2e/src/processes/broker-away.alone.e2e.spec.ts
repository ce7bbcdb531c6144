import { credentials, makeGenericClientConstructor, type requestCallback } from '@grpc/grpc-js';
import type { CreateReportResponse } from '@tire/contracts/api';
import { eventually } from '@tire/test-harness';
import { service as healthService } from 'grpc-health-check';
import { environmentOf } from './processes';
import { uploadImages, settled, TREADS, uploaded } from '../reports/reports';
import { stackUnderTest } from '../stack-under-test';
import { apiOf, systemReady } from '../world';

/** These services answer calls and pages, for which Postgres is enough. Inference works only on messages from the broker. */
const SERVE_WITHOUT = ['ledger', 'assets', 'content', 'share'];
/** A dead connection is detected after two pings, ten seconds apart. */
const NOTICED_WITHIN_MS = 60_000;

interface Readiness {
  readonly status: number;
  readonly nats: string | undefined;
}

async function readiness(service: string): Promise<Readiness> {
  const { OPERATIONS_PORT } = environmentOf(stackUnderTest().pids[service]!);
  const response = await fetch(`http://127.0.0.1:${OPERATIONS_PORT}/health/ready`);
  const { details } = (await response.json()) as { details: Record<string, { status: string }> };
  return { status: response.status, nats: details['nats']?.status };
}

/** The readiness probe of the kubelet. A pod is an address of its service while the probe succeeds. */
async function grpcHealth(service: string): Promise<string> {
  const Health = makeGenericClientConstructor(healthService, 'Health');
  const client = new Health(`127.0.0.1:${environmentOf(stackUnderTest().pids[service]!)['GRPC_PORT']}`, credentials.createInsecure());
  const check = client['check'] as unknown as (request: object, done: requestCallback<{ status: string }>) => void;
  try {
    return await new Promise((resolve, reject) =>
      check.call(client, { service: '' }, (error, answer) => (error ? reject(error) : resolve(answer!.status))),
    );
  } finally {
    client.close();
  }
}

describe('while the broker is unavailable', () => {
  const api = apiOf('live');
  let broker: number;

  beforeAll(async () => {
    await systemReady();
    broker = stackUnderTest().pids['nats']!;
  });

  afterAll(async () => {
    process.kill(broker, 'SIGCONT');
    const back = async () => (await Promise.all([...SERVE_WITHOUT, 'inference'].map(readiness))).every(({ nats }) => nats === 'up');
    await eventually(back, { timeoutMs: NOTICED_WITHIN_MS, message: 'Not every service is connected to the broker again' });
  });

  it('reports are created, uploaded and read, pages open, and only the workers are not ready', async () => {
    const measured = (await uploaded(api, { template: 'tire_4t_0s' }, TREADS)).report_id;
    const { links } = await settled(api, measured);
    process.kill(broker, 'SIGSTOP');
    let created: CreateReportResponse;
    try {
      const noticed = async () => (await Promise.all(SERVE_WITHOUT.map(readiness))).every(({ nats }) => nats === 'down');
      await eventually(noticed, { timeoutMs: NOTICED_WITHIN_MS, message: 'The services have not noticed that the broker is unavailable' });

      created = (await api.create({ template: 'tire_4t_0s' })).done;
      await uploadImages(api, created.report_id, created.upload_targets ?? []);
      expect(await api.report(created.report_id)).toMatchObject({ analysis_status: 'processing' });
      expect((await api.call('getContent', { report: measured })).status).toBe(200);
      expect((await fetch(links.share!)).status).toBe(200);
      expect(await Promise.all(SERVE_WITHOUT.map(readiness))).toEqual(SERVE_WITHOUT.map(() => ({ status: 200, nats: 'down' })));
      expect(await Promise.all(SERVE_WITHOUT.map(grpcHealth))).toEqual(SERVE_WITHOUT.map(() => 'SERVING'));
      await eventually(async () => (await readiness('inference')).status === 503, { timeoutMs: NOTICED_WITHIN_MS });
    } finally {
      process.kill(broker, 'SIGCONT');
    }
    expect(await settled(api, created.report_id)).toMatchObject({ analysis_status: 'complete', publication_status: 'published' });
  }, 300_000);
});

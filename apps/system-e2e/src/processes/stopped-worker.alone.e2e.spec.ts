import { eventually, freePort } from '@tire/test-harness';
import { spawn, type ChildProcess } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { ImageHost } from '../images/image-host';
import { environmentOf, ofProcess } from './processes';
import { byAddress, settled, TREADS } from '../reports/reports';
import { stackUnderTest } from '../stack-under-test';
import { apiOf, systemReady } from '../world';

const REPORTS = 3;
/** The broker redelivers a message to another worker after 30 s of silence. */
const TAKEN_OVER_WITHIN_MS = 240_000;

async function counted(port: string, metric: string, label = ''): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(metric) && line.includes(label));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Results that a worker has published since its start, including duplicates that the broker dropped. */
const answersOf = (port: string): Promise<number> => counted(port, 'tire_messages_published', 'inference.finished');
/** Messages that it released. When it continues, the leases of its messages have expired; it usually detects this before it publishes. */
const refusedBy = (port: string): Promise<number> => counted(port, 'tire_inference_refusals');

/** The same program with the same configuration on other ports: a second replica. */
function replicaOf(pid: number, operationsPort: string, grpcPort: string): ChildProcess {
  const [program, ...args] = ofProcess(pid, 'cmdline');
  const env = { ...environmentOf(pid), HTTP_PORT: '0', OPERATIONS_PORT: operationsPort, GRPC_PORT: grpcPort };
  return spawn(program!, args, { cwd: readlinkSync(`/proc/${pid}/cwd`), env, stdio: 'ignore' });
}

describe('a worker that is stopped during its work', () => {
  const api = apiOf('test');
  let host: ImageHost;
  let stopped: number;
  let other: ChildProcess | undefined;

  const created = async () => (await api.create({ template: 'tire_4t_0s', images: byAddress(host, TREADS) })).done.report_id;
  const read = async (report: string) => [await api.report(report), (await api.call('getContent', { report })).headers.get('etag')];

  beforeAll(async () => {
    await systemReady();
    host = await ImageHost.open();
    stopped = stackUnderTest().pids['inference']!;
  });

  afterAll(async () => {
    process.kill(stopped, 'SIGCONT');
    other?.kill('SIGKILL');
    await host.close();
  });

  it('is replaced by another worker, and its late results change nothing', async () => {
    const [port, otherPort, otherGrpcPort] = [
      environmentOf(stopped)['OPERATIONS_PORT']!,
      String(await freePort()),
      String(await freePort()),
    ];
    const before = await answersOf(port);
    const refusedBefore = await refusedBy(port);
    const reports = await Promise.all(Array.from({ length: REPORTS }, created));
    await eventually(async () => (await answersOf(port)) > before + 1);
    process.kill(stopped, 'SIGSTOP');
    let facts: unknown;
    try {
      other = replicaOf(stopped, otherPort, otherGrpcPort);
      for (const report of reports) {
        expect(await settled(api, report, TAKEN_OVER_WITHIN_MS)).toMatchObject({
          analysis_status: 'complete',
          publication_status: 'published',
        });
      }
      facts = await Promise.all(reports.map(read));
      const answersOfOther = await answersOf(otherPort);
      expect(answersOfOther).toBeGreaterThan(0);

      process.kill(stopped, 'SIGCONT');
      const answeredTwice = async () => (await answersOf(port)) - before + answersOfOther > REPORTS * TREADS.length;
      const givenBack = async () => (await refusedBy(port)) > refusedBefore;
      const continued = async () => (await answeredTwice()) || (await givenBack());
      await eventually(continued, { message: 'The stopped worker neither answered nor gave back what it held' });
    } finally {
      other?.kill('SIGKILL');
      process.kill(stopped, 'SIGCONT');
    }
    // A model processes its images in order: when this report is measured, no late result is left.
    expect(await settled(api, await created())).toMatchObject({ analysis_status: 'complete' });
    expect(await Promise.all(reports.map(read))).toEqual(facts);
  }, 420_000);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { component, workloads } from './manifests';
import { render } from './render';
import { REQUIRED } from './value-sets';

const REPORT = { report_id: 'r1', upload_targets: [1, 2, 3, 4], analysis_status: 'awaiting_images' };

describe('the first pod of helm test', () => {
  let script: string;
  let server: Server;
  let answers: number[];

  beforeAll(async () => {
    const pods = workloads(await render(REQUIRED)).filter(({ manifest }) => manifest.kind === 'Pod' && component(manifest) === 'test');
    script = pods.map(({ pod }) => pod.containers[0]!.command![2]!).find((text) => !text.includes('render-samples'))!;
    server = createServer((_, response) => response.writeHead(answers.shift() ?? 200).end(JSON.stringify(REPORT))).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterAll(() => server?.close());

  async function runIt(...first: number[]): Promise<{ code: number; output: string }> {
    answers = first;
    const env = { API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, API_KEY: 'key', DEADLINE_SECONDS: '60' };
    const child = spawn(process.execPath, ['-e', script], { env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += String(bytes)));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  }

  it('repeats an answer of a service that is away for a moment', async () => {
    expect(await runIt(503)).toEqual({ code: 0, output: expect.stringContaining('created with four upload targets') });
  });

  it('fails at once with another answer', async () => {
    expect(await runIt(401)).toEqual({ code: 1, output: expect.stringContaining('POST /reports answered 401') });
  });
});

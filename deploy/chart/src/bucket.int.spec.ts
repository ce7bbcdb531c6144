import { eventually, freePort, type SmallS3, startSmallS3 } from '@tire/test-harness';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, createServer } from 'node:net';
import { CHART, REPOSITORY_ROOT } from './paths';

/** The job of a trial, as its pod runs it. */
function startJob(endpoint: string, secretKey: string) {
  const env = {
    PATH: process.env['PATH'],
    OBJECT_STORE_S3_ENDPOINT: endpoint,
    OBJECT_STORE_S3_REGION: 'us-east-1',
    OBJECT_STORE_S3_BUCKET: 'tire',
    OBJECT_STORE_S3_ACCESS_KEY: 'S3RVER',
    OBJECT_STORE_S3_SECRET_KEY: secretKey,
  };
  const child = spawn(process.execPath, ['-e', readFileSync(join(CHART, 'files/bucket.js'), 'utf8')], { cwd: REPOSITORY_ROOT, env });
  const job = { output: '', ended: once(child, 'close').then(([code]) => code as number) };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (job.output += String(bytes)));
  return job;
}

describe('the bucket job of a trial', () => {
  let s3: SmallS3;

  beforeAll(async () => {
    s3 = await startSmallS3('another');
  });

  afterAll(() => s3?.stop());

  it('waits for a server that starts later, says why, and makes the bucket once', async () => {
    const port = await freePort();
    const endpoint = `http://127.0.0.1:${port}`;
    const job = startJob(endpoint, s3.secretKey);
    await eventually(() => job.output.includes('\n'));
    expect(job.output).toMatch(/^waiting for the S3 server: .*ECONNREFUSED/);
    const server = createServer((client) => void client.pipe(connect(s3.port, '127.0.0.1')).pipe(client)).listen(port, '127.0.0.1');
    try {
      expect(await job.ended).toBe(0);
      expect((await fetch(`${endpoint}/tire?list-type=2`)).status).toBe(200);
      expect(await startJob(endpoint, s3.secretKey).ended).toBe(0);
    } finally {
      server.close();
    }
  });

  it('fails at once with a wrong key', async () => {
    const job = startJob(`http://127.0.0.1:${s3.port}`, 'another');
    expect(await job.ended).toBe(1);
    expect(job.output).not.toContain('waiting');
  });
});

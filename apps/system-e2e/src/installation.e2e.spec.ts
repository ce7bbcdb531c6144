import { REPOSITORY_ROOT } from '@tire/local-stack';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stackUnderTest } from './stack-under-test';
import { systemReady } from './world';

/** As a pod of the chart runs it: the script handed to Node, in the folder of an image. */
async function helmTest(script: string, key: string): Promise<string> {
  const source = readFileSync(join(REPOSITORY_ROOT, 'helm/tire-inspection/files', script), 'utf8');
  const env = { PATH: process.env['PATH'], API_URL: stackUnderTest().base_url, API_KEY: key, DEADLINE_SECONDS: '110' };
  return (await promisify(execFile)(process.execPath, ['-e', source], { cwd: REPOSITORY_ROOT, env })).stdout;
}

describe('helm test', () => {
  beforeAll(systemReady);

  it('creates a report and finds it again', async () => {
    expect(await helmTest('test.js', stackUnderTest().keys.test)).toContain('created with four upload targets');
  });

  it('uploads photographs and sees them measured and published', async () => {
    const told = await helmTest('test-measured.js', stackUnderTest().keys.test);
    expect(told.match(/^tire\.tread\.\w+: \d+(\.\d+)? mm$/gm)).toHaveLength(4);
    expect(told).toContain('uploaded, measured and published');
  });

  it('fails where the key may not create', async () => {
    await expect(helmTest('test-measured.js', stackUnderTest().keys.read_only)).rejects.toThrow(/answered 403/);
  });
});

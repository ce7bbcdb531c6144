import { tempDir } from '@tire/test-harness';
import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { firstReport } from '../web/pages/developers/commands';

const LINES = firstReport('https://tire.example', 'svc_test_x').map(([, text]) => text);

/** Runs the commands in a shell with a fake curl. Returns the requests. */
async function pasted(answer: string): Promise<{ requests: string; stderr: string }> {
  const folder = await tempDir();
  const curl = join(folder, 'curl');
  await writeFile(curl, `#!/bin/sh\necho "$*" >> ${folder}/requests\necho '${answer}'\n`);
  await chmod(curl, 0o755);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };
  const shell = promisify(execFile)('/bin/sh', ['-c', LINES.join('\n')], { cwd: folder, env, timeout: 100_000 });
  const { stderr } = await shell.catch((ended: { stderr: string }) => ended);
  return { requests: await readFile(`${folder}/requests`, 'utf8'), stderr };
}

describe('the commands for a first report', () => {
  it('stop with the reason if no report was created', async () => {
    const { requests, stderr } = await pasted('{"error":{"code":"unauthorized"}}');
    expect(requests).toContain('https://tire.example/api/v1/reports ');
    expect(requests).not.toMatch(/reports\/| -T /);
    expect(stderr).toContain('there is no report');
  });

  it('continue with the created report', async () => {
    const { requests } = await pasted('{"report_id":"r1","upload_targets":[{"upload_url":"https://store.example/1"}],"share_url":"s"}');
    for (const address of ['https://store.example/1', '/api/v1/reports/r1/images', '/api/v1/reports/r1 '])
      expect(requests).toContain(address);
  });
});

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from './cluster';
import { prepareFolder } from './installation';
import { runChecks } from './run-checks';

describe('the run of the checks', () => {
  let folder: string;
  let calls: string;
  let cluster: Cluster;

  /** kubectl and helm that record their words and fail, as those that the interrupt of a terminal ends. */
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tire-checks-'));
    calls = join(folder, 'calls');
    await mkdir(join(folder, 'programs'));
    for (const name of ['kubectl', 'helm'])
      await writeFile(join(folder, 'programs', name), `#!/bin/bash\necho ${name} "$*" >> ${calls}\nexit 1\n`, { mode: 0o755 });
    cluster = new Cluster(join(folder, 'work'), ['env', `PATH=${join(folder, 'programs')}:${process.env['PATH']}`], 'r.example.com');
    await prepareFolder(cluster);
  });

  afterEach(() => rm(folder, { recursive: true }));

  const servers = { postgres: 'p:1', nats: 'n:1', seaweedfs: 's:1' };
  const runs = (stopped: () => boolean) => runChecks(cluster, servers, { only: /trial/, full: true }, stopped);

  it('begins nothing after a stop', async () => {
    expect(await runs(() => true)).toBe(false);
    expect(existsSync(calls)).toBe(false);
  });

  it('ends with the check that runs when it is stopped, and asks the cluster nothing more', async () => {
    expect(await runs(() => existsSync(calls))).toBe(false);
    expect((await readFile(calls, 'utf8')).trim().split('\n')).toEqual(['kubectl create namespace tire']);
  });
});

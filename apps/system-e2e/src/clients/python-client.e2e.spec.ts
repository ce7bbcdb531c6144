import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '@tire/local-stack';
import { stackUnderTest } from '../stack-under-test';
import { examplesOf, failedReport, newFolder, runIn } from './readme-examples';
import { endsOfScenarios } from './sandbox-ends';

const CLIENT = join(REPOSITORY_ROOT, 'clients/python');

/** That of the path, or Debian's, which has the package python3-httpx. */
const python = ['python3', '/usr/bin/python3'].find((name) => spawnSync(name, ['-c', 'import httpx']).status === 0);

/** Runs each example of its README in the folder of a new user. */
(python ? describe : describe.skip)('the examples of the Python client', () => {
  const stack = stackUnderTest();
  const { folder, remove } = newFolder();
  const [create, webhook, listen, find, sandbox, ...others] = examplesOf(join(CLIENT, 'README.md'), 'python');
  const environment = {
    PYTHONPATH: join(CLIENT, 'src'),
    PYTHONDONTWRITEBYTECODE: '1',
    TIRE_BASE_URL: stack.base_url,
    TIRE_API_KEY: stack.keys.test,
    TIRE_WEBHOOK_SECRET: stack.webhook_secret,
    TIRE_CALLBACK_URL: `${stack.callback_origin}/tires`,
    INSPECTION: `inspection-${randomUUID()}`,
    PORT: new URL(stack.callback_origin).port,
  };

  afterAll(remove);

  const example = (name: string, code: string) => {
    writeFileSync(join(folder, `${name}.py`), code);
    return runIn(folder, [python!, `${name}.py`], environment);
  };

  it('are all run here', () => expect(others).toEqual([]));

  it('listen to the callbacks of a project without an address', async () => {
    const listener = example('listen', listen!);
    try {
      await listener.printed('read up to');
      const report = await failedReport();
      expect(await listener.printed(`report.failed ${report}`)).toMatch(/^read up to \d+$/m);
    } finally {
      await listener.stop();
    }
  });

  it('measure four photographs, verify the callback and find the report again', async () => {
    const receiver = example('webhook', webhook!);
    try {
      await receiver.printed('listening');
      const measured = await example('create', create!).ended();
      const [, page] = /^page (\S+)$/m.exec(measured)!;
      expect((await fetch(page!)).status).toBe(200);
      expect(measured.match(/^tire\.tread\.\w+ \d+(\.\d+)? mm$/gm)).toHaveLength(4);

      const found = await example('find', find!).ended();
      expect(found).toMatch(/^headline \S+/m);
      expect(found).toMatch(/^share active$/m);
      expect(found).toMatch(/^refused template \S+$/m);
      expect(found).toMatch(/^not found$/m);
      expect(await receiver.printed('completed')).toMatch(/^completed [0-9a-f-]{36}$/m);
      // The same inspection again: its images stay, and nothing is created or measured a second time.
      expect(await example('create', create!).ended()).toBe(measured);
    } finally {
      await receiver.stop();
    }
  });

  it('end each scenario of the sandbox as its table says, in both modes', async () => {
    const printed = await example('sandbox', sandbox!).ended();
    expect(printed.trim().split('\n').sort()).toEqual(endsOfScenarios());
  });
});

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '@tire/local-stack';
import { stackUnderTest } from '../stack-under-test';
import { examplesOf, newFolder, runIn } from './readme-examples';
import { endsOfScenarios } from './sandbox-ends';

const CLIENT = join(REPOSITORY_ROOT, 'clients/typescript');

/** Installs the package as it would be published, in the folder of a new user, and runs each example of its README. */
describe('the examples of the TypeScript client', () => {
  const stack = stackUnderTest();
  const { folder, remove } = newFolder();
  const [create, webhook, find, sandbox, ...others] = examplesOf(join(CLIENT, 'README.md'), 'js');
  const [install, commands, ...otherCommands] = examplesOf(join(CLIENT, 'README.md'), 'bash');
  const environment = {
    TIRE_BASE_URL: stack.base_url,
    TIRE_API_KEY: stack.keys.test,
    TIRE_WEBHOOK_SECRET: stack.webhook_secret,
    TIRE_CALLBACK_URL: `${stack.callback_origin}/tires`,
    INSPECTION: `inspection-${randomUUID()}`,
    PORT: new URL(stack.callback_origin).port,
  };

  beforeAll(() => {
    execFileSync(process.execPath, [join(CLIENT, 'build.mjs'), join(folder, 'built')], { stdio: 'inherit' });
    const packed = execFileSync('npm', ['pack', '--json', './built'], { cwd: folder, encoding: 'utf8' });
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
    const offline = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${filename}`];
    execFileSync('npm', offline, { cwd: folder, stdio: 'pipe' });
  });
  afterAll(remove);

  const example = (name: string, code: string) => {
    writeFileSync(join(folder, `${name}.mjs`), code);
    return runIn(folder, [process.execPath, `${name}.mjs`], environment);
  };

  it('are all run here', () => expect([install, others, otherCommands]).toEqual(['npm install @tire-inspection/client\n', [], []]));

  it('measure photographs on the command line', async () => {
    const output = await runIn(folder, ['bash', '-ec', commands!], environment).ended();
    expect(output.match(/^tread-\w+\.jpg +\d+\.\d mm/gm)).toHaveLength(4);
    expect(output.match(/^tire\.tread\.\w+ +\d+\.\d mm/gm)).toHaveLength(4);
    expect(output).toMatch(/^publication +published$/m);
  });

  it('measure four photographs, verify the callback and find the report again', async () => {
    const receiver = example('webhook', webhook!);
    try {
      await receiver.printed('listening');
      const measured = await example('create', create!).ended();
      const [, page] = /^page (\S+)$/m.exec(measured)!;
      expect(page).toContain(stack.share_url);
      expect((await fetch(page!)).status).toBe(200);
      expect(measured.match(/^tire\.tread\.\w+ \d+(\.\d+)? mm$/gm)).toHaveLength(4);

      const found = await example('find', find!).ended();
      expect(found).toMatch(/^headline \S+/m);
      expect(found).toMatch(/^share active$/m);
      expect(found).toMatch(/^refused template \S+$/m);
      expect(found).toMatch(/^not found$/m);
      expect(await receiver.printed('completed')).toMatch(/^completed [0-9a-f-]{36}$/m);

      // The same inspection again: its images stay, and nothing is created or measured a second time.
      const again = await example('create', create!).ended();
      expect(again).toBe(measured);
    } finally {
      await receiver.stop();
    }
  });

  it('end each scenario of the sandbox as its table says, in both modes', async () => {
    const printed = await example('sandbox', sandbox!).ended();
    expect(printed.trim().split('\n').sort()).toEqual(endsOfScenarios());
  });
});

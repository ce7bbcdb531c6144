import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '@tire/local-stack';
import { stackUnderTest } from '../stack-under-test';
import { examplesOf, failedReport, newFolder, runIn } from './readme-examples';
import { openReceiver } from '../publication/callback-receiver';
import { endsOfScenarios } from './sandbox-ends';

const CLIENT = join(REPOSITORY_ROOT, 'clients/typescript');

/** Installs the package as it would be published, in the folder of a new user, and runs each example of its README. */
describe('the examples of the TypeScript client', () => {
  const stack = stackUnderTest();
  const { folder, remove } = newFolder();
  const [create, webhook, listen, find, sandbox, ...others] = examplesOf(join(CLIENT, 'README.md'), 'js');
  const [install, commands, lasting, ...otherCommands] = examplesOf(join(CLIENT, 'README.md'), 'bash');
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

  it('send callbacks to a program on this machine, trigger them, and print the request log, on the command line', async () => {
    const receiver = await openReceiver();
    const run = (line: string) => runIn(folder, ['bash', '-c', `exec ${line.replace(/^npx /, 'node_modules/.bin/')}`], environment);
    const [listenLine, triggerLine, logsLine] = lasting!.trim().split('\n') as [string, string, string];
    const listener = run(listenLine.replace('http://localhost:3000', receiver.origin));
    const logs = run(logsLine);
    try {
      const [, secret] = /(whsec_\S+)/.exec(await listener.printed('whsec_'))!;
      await logs.printed('from now on');
      const triggered = await run(triggerLine).ended();
      const [, report] = /^report_id +(\S+)$/m.exec(triggered)!;
      // Other tests make reports in this project, whose callbacks come too.
      const calls = await receiver.callsTo('/hooks', 2, report);
      for (const signer of [secret!, stack.webhook_secret])
        for (const { body, headers } of calls) new Webhook(signer).verify(body, headers as Record<string, string>);
      expect(calls.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual(['report.completed', 'content.ready']);
      expect(await listener.printed(`report.completed  ${report}`)).toMatch(/ 204 \(\d+ ms\)$/m);
      expect(await logs.printed(report!)).toMatch(/ 202 {2}POST {4}\/api\/v1\/reports {2}/);
    } finally {
      // Ctrl-C ends them without a fault.
      expect(await Promise.all([listener.stop('SIGINT'), logs.stop('SIGINT'), receiver.close()])).toEqual([0, 0, undefined]);
    }
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

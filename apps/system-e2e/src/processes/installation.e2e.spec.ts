import { blocksWith, CHART, type Manifest, merged, notes, ofKind, render, REQUIRED } from '@tire/chart';
import { REPOSITORY_ROOT } from '@tire/local-stack';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Operator } from './cluster-commands';
import { stackUnderTest } from '../stack-under-test';
import { systemReady } from '../world';

/** Runs a script as a pod of the chart does: with Node, in the folder of an image. */
async function helmTest(script: string, key: string): Promise<string> {
  const source = ['test-call.js', script].map((file) => readFileSync(join(CHART, 'files', file), 'utf8')).join('\n');
  const env = { PATH: process.env['PATH'], API_URL: stackUnderTest().base_url, API_KEY: key, DEADLINE_SECONDS: '110' };
  return (await promisify(execFile)(process.execPath, ['-e', source], { cwd: REPOSITORY_ROOT, env })).stdout;
}

describe('helm test', () => {
  beforeAll(systemReady);

  it('creates a report and finds it again', async () => {
    expect(await helmTest('test.js', stackUnderTest().keys.test)).toContain('created with four upload targets');
  });

  it('uploads photographs and waits until they are measured and published', async () => {
    const output = await helmTest('test-measured.js', stackUnderTest().keys.test);
    expect(output.match(/^tire\.tread\.\w+: \d+(\.\d+)? mm$/gm)).toHaveLength(4);
    expect(output).toContain('uploaded, measured and published');
  });

  it('fails if the key may not create reports', async () => {
    await expect(helmTest('test-measured.js', stackUnderTest().keys.read_only)).rejects.toThrow(/answered 403/);
  });
});

describe('the commands that an operator copies after the installation', () => {
  let operator: Operator;
  let manifests: Manifest[];

  beforeAll(async () => {
    await systemReady();
    manifests = await render(REQUIRED);
  });

  beforeEach(async () => {
    operator = await Operator.begin();
  });

  afterEach(() => operator.end());

  /** Every command names this release, its namespace and its resources. */
  async function expectToFit(): Promise<void> {
    const deployments = ofKind(manifests, 'Deployment');
    for (const [program, ...words] of await operator.calls()) {
      expect(words.slice(0, 2)).toEqual(['-n', 'tire']);
      if (program === 'helm') expect(words.slice(2)).toEqual(['test', 'tire', '--logs']);
      const [, deployment] = /\bexec -i deploy\/(\S+)/.exec(words.join(' ')) ?? [];
      if (deployment) expect(deployments.map(({ metadata }) => metadata.name)).toContain(deployment);
      const [, label, value] = /-l (\S+)=(\S+)/.exec(words.join(' ')) ?? [];
      if (label) expect(deployments.filter(({ metadata }) => metadata.labels![label] !== value)).toEqual([]);
    }
  }

  it('the NOTES work command by command, with earlier output in place of the words in capitals', async () => {
    const commands = (await notes(REQUIRED)).match(/^ {2}(kubectl|helm|admin)\b.*$/gm)!.map((line) => line.trim());
    const [definition] = commands.filter((command) => command.startsWith('admin()'));
    const known: Record<string, string> = {};
    for (const command of commands.filter((other) => other !== definition)) {
      const filled = command.replace(/\b(ORGANIZATION_ID|PROJECT_ID|KEY)\b/g, (name) => known[name] ?? `no ${name} yet`);
      const output = await operator.copies(`${definition}\n${filled}`);
      if (!command.startsWith('admin')) continue;
      const { id, key } = JSON.parse(output) as { id: string; key?: string };
      if (key) known['KEY'] = key;
      else known[command.includes('create-organization') ? 'ORGANIZATION_ID' : 'PROJECT_ID'] = id;
    }
    const programs = (await operator.calls()).map(([program, , , verb]) => `${program} ${verb}`);
    expect(programs).toEqual(['kubectl rollout', 'kubectl exec', 'kubectl exec', 'kubectl exec', 'kubectl create', 'helm test']);
    await expectToFit();
    const output = await operator.helmTest(manifests);
    expect(output).toContain('created with four upload targets');
    expect(output).toContain('uploaded, measured and published');
  });

  it('the NOTES make the first owner of the console', async () => {
    const text = await notes(merged(REQUIRED, { console: { enabled: true } }));
    const definition = /^ {2}admin\(\).*$/m.exec(text)![0].trim();
    const creation = /^ {2}printf .*--owner-email .*$/m.exec(text)![0].trim();
    const email = `owner-${process.pid}-${Date.now()}@example.com`;
    const commands = `password='correct horse battery'\n${definition}\n${creation.replace('owner@example.com', email)} --json`;
    expect(JSON.parse(await operator.copies(commands))).toMatchObject({ name: 'Example', id: expect.any(String) });
    await expectToFit();
  });

  it('step 9 of the README works in one run', async () => {
    const [commands] = blocksWith("--scopes 'report:*' --name first");
    await operator.copies(commands!);
    const programs = (await operator.calls()).map(([program, , , verb]) => `${program} ${verb}`);
    expect(programs).toEqual(['kubectl exec', 'kubectl exec', 'kubectl exec', 'kubectl create', 'helm test']);
    await expectToFit();
    expect(await operator.helmTest(manifests)).toContain('uploaded, measured and published');
  });
});

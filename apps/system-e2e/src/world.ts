import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY_ROOT, type StackFile } from '@tire/local-stack';
import { eventually } from '@tire/test-harness';
import { Api } from './api/api';
import { stackUnderTest } from './stack-under-test';

export const UNKNOWN_ID = '0193b1f0-0000-7000-8000-000000000000';

export const apiWith = (key: string): Api => new Api(stackUnderTest().base_url, `Bearer ${key}`);
export const apiOf = (name: keyof StackFile['keys']): Api => apiWith(stackUnderTest().keys[name]);

/** Waits for a service that another suite killed: an unknown report must give 404. */
export async function systemReady(): Promise<void> {
  const answers = async () => (await apiOf('test').call('getShare', { report: UNKNOWN_ID })).status === 404;
  await eventually(answers, { timeoutMs: 60_000, message: 'The system does not answer' });
}

type Operated = 'gateway' | 'ledger' | 'assets' | 'share';

/** Runs an operator's command of a service; `input` is its standard input. */
export const command = async <Output = Record<string, string>>(service: Operated, args: readonly string[], input = ''): Promise<Output> =>
  JSON.parse(await commandOutput(service, args, input)) as Output;

export async function commandOutput(service: Operated, args: readonly string[], input = ''): Promise<string> {
  const program = join(REPOSITORY_ROOT, `dist/apps/${service}/src/admin.js`);
  const environment = `--env-file=${join(process.env['STACK_DIR']!, `environment/${service}.env`)}`;
  const running = promisify(execFile)(process.execPath, [environment, program, ...args], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn' },
  });
  running.child.stdin!.end(input);
  return (await running).stdout;
}

export const administer = (...args: string[]) => command('gateway', [...args, '--json']);

/** A project of a new organization. */
export async function newProject(mode: 'test' | 'live'): Promise<string> {
  const organization = await administer('create-organization', '--name', 'Partner');
  const project = await administer('create-project', '--organization', organization['id']!, '--mode', mode, '--name', 'Partner');
  return project['id']!;
}

export async function newKey(project: string, scopes: string): Promise<{ id: string; key: string }> {
  const { id, key } = await administer('create-key', '--project', project, '--scopes', scopes, '--name', scopes);
  return { id: id!, key: key! };
}

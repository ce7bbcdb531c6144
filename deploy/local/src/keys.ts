import { nodeProgram, runProgram } from './programs';
import { saveSecrets, type StackSecrets } from './secrets';
import type { ServiceName } from './topology';

const OWNER_EMAIL = 'owner@tire-inspection.example';

export interface Access {
  keys: NonNullable<StackSecrets['keys']>;
  consoleLogin: { email: string; password: string };
}

/** The first start issues the keys of the stack with the operator's commands. Later starts reuse them. */
export async function ensureKeys(
  environment: Record<ServiceName, Record<string, string>>,
  secrets: StackSecrets,
  build?: string,
): Promise<Access> {
  const consoleLogin = { email: OWNER_EMAIL, password: secrets.consolePassword };
  if (secrets.keys) return { keys: secrets.keys, consoleLogin };
  const admin = async (args: string[], input?: string): Promise<Record<string, string>> =>
    JSON.parse(await runProgram(nodeProgram('gateway', 'admin.js', build), [...args, '--json'], environment.gateway, input));
  const created = async (args: string[]): Promise<string> => {
    const { id } = await admin(args);
    if (!id) throw new Error(`${args[0]} gave no id`);
    return id;
  };
  const project = (organization: string, mode: 'test' | 'live', name: string) =>
    created(['create-project', '--organization', organization, '--mode', mode, '--name', name]);
  const key = async (projectId: string, scopes: string, name: string): Promise<string> => {
    const issued = await admin(['create-key', '--project', projectId, '--scopes', scopes, '--name', name]);
    if (!issued['key']) throw new Error('create-key gave no key');
    return issued['key'];
  };

  const ours = await created(['create-organization', '--name', 'Local']);
  const others = await created(['create-organization', '--name', 'Another organization']);
  const [testProject, liveProject, otherProject] = await Promise.all([
    project(ours, 'test', 'Local test'),
    project(ours, 'live', 'Local live'),
    project(others, 'live', 'Another live'),
  ]);
  await admin(['create-owner', '--organization', ours, '--email', OWNER_EMAIL, '--password-stdin'], secrets.consolePassword);
  const [test, live, read_only, other] = await Promise.all([
    key(testProject, 'report:*', 'local test'),
    key(liveProject, 'report:*', 'local live'),
    key(liveProject, 'report:read', 'local read only'),
    key(otherProject, 'report:*', 'another organization'),
  ]);
  for (const projectId of [testProject, liveProject]) {
    await runProgram(
      nodeProgram('share', 'admin.js', build),
      ['rotate-webhook-secret', '--project', projectId, '--secret', secrets.webhookSecret],
      environment.share,
    );
  }
  secrets.keys = { test, live, read_only, other };
  await saveSecrets(secrets);
  return { keys: secrets.keys, consoleLogin };
}

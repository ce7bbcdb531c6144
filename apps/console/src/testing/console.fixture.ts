import { createTestDatabase, eventually, freePort, spawnTypeScript } from '@tire/test-harness';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const SITE = join(__dirname, '../../../../dist/apps/console/site');
const QUIET = { NODE_ENV: 'test', LOG_LEVEL: 'fatal' };
export const PASSWORD = 'correct horse battery';

async function finished(args: string[], script: string, env: NodeJS.ProcessEnv, input = ''): Promise<string> {
  const child = spawnTypeScript(script, args, { ...QUIET, ...env }, 'pipe');
  child.stdin!.end(input);
  const [output, complaint, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${complaint}`);
  return output;
}

/** Runs the gateway as a process with its own database and the built site. */
export async function startConsole(environment: Readonly<Record<string, string>> = {}) {
  if (!existsSync(join(SITE, 'index.html'))) throw new Error('The console is not built: node deploy/build.mjs apps/console');
  const database = await createTestDatabase({ name: 'gateway', migrations: [] });
  await finished([], './apps/gateway/src/migrate.ts', {
    MIGRATION_DATABASE_URL: database.ownerUrl,
    DATABASE_RUNTIME_ROLE: new URL(database.url).username,
  });
  const [port, operationsPort, nobody] = await Promise.all([freePort(), freePort(), freePort()]);
  const origin = `http://127.0.0.1:${port}`;
  const gateway = spawnTypeScript('./apps/gateway/src/main.ts', [], {
    ...QUIET,
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: String(port),
    OPERATIONS_PORT: String(operationsPort),
    DATABASE_URL: database.url,
    PUBLIC_API_URL: `${origin}/api/v1`,
    CONSOLE_ROOT: SITE,
    ...environment,
    ...Object.fromEntries(['LEDGER', 'CONTENT', 'SHARE'].map((name) => [`${name}_GRPC_URL`, `127.0.0.1:${nobody}`])),
  });
  await eventually(async () => (await fetch(`http://127.0.0.1:${operationsPort}/health/live`)).ok, {
    timeoutMs: 90_000,
    message: 'The gateway is not there',
  });
  return {
    origin,
    newOwner: async (name: string): Promise<string> => {
      const email = `${name.toLowerCase()}@shop.example`;
      const args = ['create-organization', '--name', `${name}'s tires`, '--owner-email', email, '--password-stdin'];
      await finished(args, './apps/gateway/src/admin.ts', { DATABASE_URL: database.url }, PASSWORD);
      return email;
    },
    stop: async () => {
      const ended = once(gateway, 'exit');
      gateway.kill('SIGTERM');
      await ended;
      await database.drop();
    },
  };
}

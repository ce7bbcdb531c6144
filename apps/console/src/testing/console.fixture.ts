import { createTestDatabase, eventually, freePort, spawnTypeScript, startUnavailableServices } from '@tire/test-harness';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const SITE = join(__dirname, '../../../../dist/apps/console/site');
const QUIET = { NODE_ENV: 'test', LOG_LEVEL: 'fatal' };
export const PASSWORD = 'correct horse battery';

/** Runs the gateway as a process with its own database and the built site. */
export async function startConsole(environment: Readonly<Record<string, string>> = {}, host = '127.0.0.1') {
  if (!existsSync(join(SITE, 'index.html'))) throw new Error('The console is not built: node deploy/build.mjs apps/console');
  const database = await createTestDatabase({ name: 'gateway', migrations: [] });
  const [port, operationsPort, away] = await Promise.all([freePort(), freePort(), startUnavailableServices()]);
  const origin = `http://${host}:${port}`;
  const gateway = spawnTypeScript('./apps/gateway/src/testing/console-gateway.fixture.ts', [], {
    ...QUIET,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    DATABASE_RUNTIME_ROLE: new URL(database.url).username,
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: String(port),
    OPERATIONS_PORT: String(operationsPort),
    DATABASE_URL: database.url,
    PUBLIC_API_URL: `${origin}/api/v1`,
    CONSOLE_ROOT: SITE,
    ...environment,
    ...Object.fromEntries(['LEDGER', 'CONTENT', 'SHARE', 'ASSETS'].map((name) => [`${name}_GRPC_URL`, away.address])),
  });
  await eventually(async () => (await fetch(`http://127.0.0.1:${operationsPort}/health/live`)).ok, {
    timeoutMs: 90_000,
    message: 'The gateway is not there',
  });
  const administer = async (args: string[], input: string): Promise<void> => {
    const answered = once(gateway, 'message');
    gateway.send({ args, input });
    expect(await answered).toEqual([{ output: expect.any(String) }, undefined]);
  };
  let commands = Promise.resolve();
  return {
    origin,
    newOwner: async (name: string): Promise<string> => {
      const email = `${name.toLowerCase()}@shop.example`;
      const args = ['create-organization', '--name', `${name}'s tires`, '--owner-email', email, '--password-stdin'];
      commands = commands.then(() => administer(args, PASSWORD));
      await commands;
      return email;
    },
    stop: async () => {
      const ended = once(gateway, 'exit');
      gateway.disconnect();
      gateway.kill('SIGTERM');
      await ended;
      await away.stop();
      await database.drop();
    },
  };
}

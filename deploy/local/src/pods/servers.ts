import { ensureNatsBinary, freePort, startNatsServer, startPostgres } from '@tire/test-harness';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSecrets } from '../secrets';
import { natsConfiguration } from '../stack';
import { REPOSITORY_ROOT, stackDir } from '../stack-file';

/** Postgres and NATS for services in pods. */
export async function startServers() {
  await mkdir(join(stackDir(), 'logs'), { recursive: true });
  const secrets = await loadSecrets();
  const postgres = await startPostgres({
    dataDir: join(stackDir(), 'postgres'),
    port: await freePort(),
    durable: true,
    password: secrets.postgresPassword,
  });
  const binary = await ensureNatsBinary(join(REPOSITORY_ROOT, '.local/cache'));
  const nats = await startNatsServer({
    binary,
    storeDir: join(stackDir(), 'nats'),
    port: await freePort(),
    configuration: natsConfiguration(secrets),
  });
  const stop = async () => {
    await nats.stop();
    await postgres.stop();
  };
  return { secrets, postgres, nats, stop };
}

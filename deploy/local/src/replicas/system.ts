import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureDatabases } from '../databases';
import { ensureKeys } from '../keys';
import { startServers } from '../pods/servers';
import { PodServices, type Replicas } from '../pods/services';
import { choosePorts, migrate } from '../stack';
import { REPOSITORY_ROOT, stackDir } from '../stack-file';
import { addresses, serviceEnvironment } from '../topology';

/** A system in a folder of its own, with a Postgres and a NATS of its own, and so many pods of each service behind one address. */
export async function startSystem(name: string, folder: string, replicas: Replicas) {
  process.env['STACK_DIR'] = join(folder, name);
  const data = stackDir();
  const { secrets, postgres, nats, stop } = await startServers();
  const [ports, databases] = [await choosePorts(), await ensureDatabases(postgres.url, secrets.postgresPassword)];
  const environment = serviceEnvironment({ ports, databases, natsUrl: nats.url, secrets, caFile: '' });
  // Rates are measured, and not what a busy machine sheds.
  environment.gateway['SHED_LOOP_LAG_MS'] = '0';
  const services = new PodServices(ports, environment);
  await migrate(databases);
  const { keys } = await ensureKeys(environment, secrets);
  await services.start(REPOSITORY_ROOT, replicas);
  return {
    name,
    keys,
    services,
    at: addresses(ports),
    postgresUrl: postgres.url,
    samplesFolder: join(data, 'samples'),
    pids: { ...services.pids, postgres: postgres.pid },
    stop: async () => {
      await services.stop();
      await stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

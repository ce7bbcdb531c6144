import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BROKER_OPERATOR, brokerUsers } from '@tire/contracts/events';
import { MADE_BY_ANOTHER_BUILD } from '@tire/platform';
import { ensureNatsBinary, freePort, launch, NODE_ARGUMENTS, startNatsServer, startPostgres, testCa } from '@tire/test-harness';
import { DATABASE_OWNERS, ensureDatabases, type DatabaseUrls } from './databases';
import { ensureKeys } from './keys';
import { serveGuideSamples } from './listeners';
import type { Links } from './links/links';
import { nodeProgram, runProgram } from './programs';
import { step } from './progress';
import { loadSecrets, type StackSecrets } from './secrets';
import { REPOSITORY_ROOT, removeStackFile, stackDir, writeEnvironments, writeStackFile, type StackFile } from './stack-file';
import { Supervisor } from './supervisor';
import { addresses, type Ports, type S3Server, SERVICES, type ServiceName, serviceEnvironment } from './topology';

export interface Stack {
  readonly file: StackFile;
  /** Resolves with a service's name when that service crashes too often to go on. */
  readonly gaveUp: Promise<string>;
  stop(): Promise<void>;
  /** Ends every process at once, without warning. */
  kill(): Promise<void>;
}

export interface StackOptions {
  /** Every connection between two processes of the stack passes one of these. */
  readonly links?: Links;
  /** An S3 server in place of files. */
  readonly s3?: S3Server;
  /** Those of an earlier start, so that addresses that partners stored stay the same. */
  readonly ports?: Ports;
  /** Further settings of Postgres, as `name=value`. */
  readonly postgresSettings?: readonly string[];
  /** The databases of these services are in another Postgres, by the address of its superuser. */
  readonly elsewhere?: { readonly postgresUrl: string; readonly services: readonly (typeof DATABASE_OWNERS)[number][] };
  /** Changes the variables of the services, when Postgres and NATS run and before the services start. */
  readonly adjust?: (environment: Record<ServiceName, Record<string, string>>, postgresUrl: string) => Promise<void>;
}

/** Long, because a machine that is busy with something else starts slowly. A service that crashes ends the start before. */
const READY_DEADLINE_MS = 240_000;

export async function choosePorts(): Promise<Ports> {
  const forEach = async () => Object.fromEntries(await Promise.all(SERVICES.map(async (name) => [name, await freePort()] as const)));
  const http = (await forEach()) as Record<ServiceName, number>;
  const wanted = process.env['PORT'];
  if (wanted) http.gateway = Number(wanted);
  const [operations, grpc] = [await forEach(), await forEach()] as [Record<ServiceName, number>, Record<ServiceName, number>];
  return { http, operations, grpc, images: await freePort(), callback: await freePort(), samples: await freePort() };
}

async function writeTls(): Promise<StackFile['tls']> {
  const folder = join(stackDir(), 'tls');
  await mkdir(folder, { recursive: true });
  const { ca, cert, key } = await testCa();
  const paths = { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  await Promise.all([writeFile(paths.ca, ca), writeFile(paths.cert, cert), writeFile(paths.key, key, { mode: 0o600 })]);
  return paths;
}

/** Returns the output of each migration. */
export const migrate = (databases: Record<string, DatabaseUrls>, build?: string): Promise<string[]> =>
  Promise.all(
    DATABASE_OWNERS.map((name) =>
      runProgram(nodeProgram(name, 'migrate.js', build), [], {
        MIGRATION_DATABASE_URL: databases[name]!.ownerUrl,
        DATABASE_RUNTIME_ROLE: databases[name]!.runtimeRole,
      }),
    ),
  );

function withAdvice(error: Error): never {
  if (!error.message.includes(MADE_BY_ANOTHER_BUILD)) throw error;
  throw new Error(`${error.message}\nThe data in ${stackDir()} is of another build. Delete this folder and start again.`);
}

/** The users of the broker, as in production. */
export const natsConfiguration = ({ natsPasswords }: StackSecrets): string => brokerUsers((name) => JSON.stringify(natsPasswords[name]));

const launchService = (name: ServiceName, env: Record<string, string>) => () =>
  Promise.resolve(
    launch({
      command: process.execPath,
      args: [...NODE_ARGUMENTS, nodeProgram(name, 'main.js')],
      logFile: join(stackDir(), 'logs', `${name}.log`),
      stopSignal: 'SIGTERM',
      env,
    }),
  );

async function waitUntilReady(ports: Ports, gaveUp: Promise<string>): Promise<void> {
  const deadlineMs = Date.now() + READY_DEADLINE_MS;
  const failed = gaveUp.then((name) => {
    throw new Error(`${name} does not start: see ${join(stackDir(), 'logs', `${name}.log`)}`);
  });
  const ready = async (name: ServiceName) => {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${ports.operations[name]}/health/ready`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => undefined,
      );
      if (answer?.ok) return;
      if (Date.now() > deadlineMs) throw new Error(`${name} is not ready: ${answer ? await answer.text() : 'it does not answer'}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await Promise.race([Promise.all(SERVICES.map(ready)), failed]);
}

/** Where the database of each service is. */
async function databasesOf(postgresUrl: string, { postgresPassword }: StackSecrets, { elsewhere }: StackOptions) {
  const databases = await ensureDatabases(postgresUrl, postgresPassword);
  if (!elsewhere) return databases;
  const others = await ensureDatabases(elsewhere.postgresUrl, postgresPassword);
  return { ...databases, ...Object.fromEntries(elsewhere.services.map((name) => [name, others[name]!])) };
}

async function startInfrastructure(supervisor: Supervisor, secrets: StackSecrets, settings: readonly string[] | undefined) {
  const postgresPort = await freePort();
  const natsPort = await freePort();
  const natsBinary = await step('nats-server is here', () => ensureNatsBinary(join(REPOSITORY_ROOT, '.local/cache')));
  let postgresUrl = '';
  await step('Postgres', () =>
    supervisor.start('postgres', async () => {
      const postgres = await startPostgres({
        dataDir: join(stackDir(), 'postgres'),
        port: postgresPort,
        durable: true,
        password: secrets.postgresPassword,
        settings,
      });
      postgresUrl = postgres.url;
      return postgres;
    }),
  );
  let natsUrl = '';
  await step('NATS', () =>
    supervisor.start('nats', async () => {
      const nats = await startNatsServer({
        binary: natsBinary,
        storeDir: join(stackDir(), 'nats'),
        port: natsPort,
        configuration: natsConfiguration(secrets),
      });
      natsUrl = nats.url;
      return nats;
    }),
  );
  return { postgresUrl, natsUrl };
}

/** Starts the whole system: the six services as in production with local addresses. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { links, s3, adjust } = options;
  await mkdir(join(stackDir(), 'logs'), { recursive: true });
  let reportGivingUp: (name: string) => void = () => undefined;
  const gaveUp = new Promise<string>((resolve) => (reportGivingUp = resolve));
  let file: StackFile | undefined;
  const supervisor = new Supervisor(() => {
    // A restarted service has a new pid, which the file must show.
    if (file) void writeStackFile(Object.assign(file, { pids: supervisor.pids }));
  }, reportGivingUp);
  let stopSamples = () => Promise.resolve();
  const stop = async () => {
    await Promise.all([supervisor.stopAll(), stopSamples()]);
    await removeStackFile();
  };
  try {
    const secrets = await loadSecrets();
    const { postgresUrl, natsUrl } = await startInfrastructure(supervisor, secrets, options.postgresSettings);
    const [ports, tls, databases] = await Promise.all([
      options.ports ?? choosePorts(),
      writeTls(),
      databasesOf(postgresUrl, secrets, options),
    ]);
    const environment = serviceEnvironment({ ports, databases, natsUrl, secrets, caFile: tls.ca, s3 });
    if (links) for (const name of SERVICES) environment[name] = await links.between(name, environment[name]);
    await adjust?.(environment, postgresUrl);
    await writeEnvironments(environment);
    for (const name of SERVICES) await supervisor.start(name, launchService(name, environment[name]));
    await step('database migrations', () => migrate(databases).catch(withAdvice));
    const access = await step('keys of the local organization', () => ensureKeys(environment, secrets));
    await step('six services ready', () => waitUntilReady(ports, gaveUp));
    const at = addresses(ports);
    stopSamples = await serveGuideSamples(at.samplesOrigin, tls);
    file = {
      base_url: at.baseUrl,
      share_url: at.shareUrl,
      console_url: at.consoleUrl,
      health_url: at.healthUrl,
      console_login: access.consoleLogin,
      keys: access.keys,
      webhook_secret: secrets.webhookSecret,
      images_origin: at.imagesOrigin,
      callback_origin: at.callbackOrigin,
      samples_origin: at.samplesOrigin,
      tls,
      pids: supervisor.pids,
      postgres_url: postgresUrl,
      nats_url: natsUrl.replace('//', `//${BROKER_OPERATOR}:${secrets.natsPasswords[BROKER_OPERATOR]}@`),
    };
    await writeStackFile(file);
    const kill = async () => {
      await Promise.all([supervisor.killAll(), stopSamples()]);
      await removeStackFile();
    };
    return { file, gaveUp, stop, kill };
  } catch (error) {
    await stop();
    throw error;
  }
}

import { ErrorEnvelope } from '@tire/contracts/api';
import { systemClock, type Clock } from '@tire/kernel';
import { Database, HealthRegistry, OperationsServer, startService } from '@tire/platform';
import { createTestDatabase, eventually, freePort, startUnavailableServices, type TestDatabase } from '@tire/test-harness';
import type { Type } from '@nestjs/common';
import { AppModule } from '../app.module';
import type { ProjectMode } from '../keys/api-key';
import { configSchema } from '../config';
import { LongPolls } from '../edge/long-polls';
import { MIGRATIONS } from '../migrations';
import { createKey, revokeKey } from '../keys/key.store';
import { Resealing } from '../sealing/resealing';
import { createOrganization } from '../organizations/organization.store';
import { createProject } from '../projects/project.store';

interface CallOptions {
  /** Empty: no Authorization header. */
  readonly key: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
  /** The validated envelope if the response is an error. */
  readonly error: ErrorEnvelope['error'] | undefined;
}

type Addresses = Record<'LEDGER_GRPC_URL' | 'CONTENT_GRPC_URL' | 'SHARE_GRPC_URL' | 'ASSETS_GRPC_URL', string>;

const atOne = (address: string): Addresses => ({
  LEDGER_GRPC_URL: address,
  CONTENT_GRPC_URL: address,
  SHARE_GRPC_URL: address,
  ASSETS_GRPC_URL: address,
});

interface Settings {
  /** Default: a free one. */
  readonly port?: number;
  /** Default: the other services are unavailable. */
  readonly addresses?: Addresses;
  readonly environment?: Readonly<Record<string, number | string>>;
  readonly clock?: Clock;
  /** The database of another gateway: both are then processes of one installation. */
  readonly database?: Pick<TestDatabase, 'url' | 'ownerUrl'>;
}

/** The gateway as it runs in production, on its own database, called over real connections. */
export async function startGateway({
  port: wantedPort,
  addresses,
  environment = {},
  clock = systemClock,
  database: shared,
}: Settings = {}) {
  const port = wantedPort ?? (await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const away = addresses ? undefined : await startUnavailableServices();
  const own = shared ? null : await createTestDatabase({ name: 'gateway', migrations: MIGRATIONS });
  const database = shared ?? own!;
  const config = configSchema.parse({
    NODE_ENV: 'test',
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: port,
    OPERATIONS_PORT: 0,
    DATABASE_URL: database.url,
    PUBLIC_API_URL: `${origin}/api/v1`,
    TRUSTED_PROXIES: '127.0.0.1',
    // A busy machine must not refuse what a test counts. Tests of load shedding set a lag.
    SHED_LOOP_LAG_MS: 0,
    ...(addresses ?? atOne(away!.address)),
    ...environment,
  });
  const app = await startService({ name: 'gateway', module: () => AppModule.forRoot(config, clock) }, config);
  await eventually(() => app.get(HealthRegistry).isReady(), { message: 'The gateway is not ready' });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= app.close().then(() => away?.stop()));
  const keysWith = (scopes: string[], count: number, mode: ProjectMode = 'live') =>
    app.get(Database, { strict: false }).asSystem(async (tx) => {
      const organizationId = await createOrganization(tx, 'Shop');
      const projectId = await createProject(tx, { organizationId, mode, name: 'Project' });
      const keys: string[] = [];
      while (keys.length < count) keys.push((await createKey(tx, { projectId, name: 'server', scopes })).key);
      return keys;
    });
  return {
    app,
    origin,
    /** Where health and metrics are. */
    operations: `http://127.0.0.1:${app.get(OperationsServer).port}`,
    port,
    databaseUrl: database.url,
    database: app.get(Database, { strict: false }),
    ownerUrl: database.ownerUrl,
    /** A key of a new project of a new organization. */
    keyWith: async (scopes: string[], mode: ProjectMode = 'live') => (await keysWith(scopes, 1, mode))[0]!,
    /** Keys of one new project. */
    keysWith,
    revokedKey: () => revokedKey(app.get(Database, { strict: false }), clock.now()),
    call: (method: string, path: string, options: CallOptions) => call(`${origin}/api/v1${path}`, method, options),
    /** How many requests wait for what happens. */
    waiting: () => app.get(LongPolls, { strict: false }).waiting,
    /** A part of the running gateway. */
    part: <T>(type: Type<T>): T => app.get(type, { strict: false }),
    resealSecrets: () => app.get(Resealing, { strict: false }).resealAll(),
    close,
    stop: async () => {
      await close();
      await own?.drop();
    },
  };
}

const revokedKey = (database: Database, now: Date): Promise<string> =>
  database.asSystem(async (tx) => {
    const organizationId = await createOrganization(tx, 'Shop');
    const projectId = await createProject(tx, { organizationId, mode: 'live', name: 'Project' });
    const { key, keyId } = await createKey(tx, { projectId, name: 'server', scopes: ['report:*'] });
    await revokeKey(tx, keyId, now);
    return key;
  });

async function call(url: string, method: string, { key, body, headers = {} }: CallOptions): Promise<Reply> {
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: raw ? (body as string | undefined) : JSON.stringify(body),
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  const error = response.status >= 400 ? ErrorEnvelope.parse(json).error : undefined;
  return { status: response.status, headers: response.headers, text, json, error };
}

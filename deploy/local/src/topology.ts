import type { EventingService } from '@tire/contracts/events';
import { publicKeyOf } from '@tire/platform';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseUrls } from './databases';
import type { StackSecrets } from './secrets';
import { REPOSITORY_ROOT, stackDir } from './stack-file';

/** Callees first for readability. Services can start in any order. */
export const SERVICES = ['assets', 'inference', 'ledger', 'content', 'share', 'gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface Ports {
  http: Record<ServiceName, number>;
  operations: Record<ServiceName, number>;
  grpc: Record<ServiceName, number>;
  images: number;
  callback: number;
  samples: number;
}

export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

export interface TopologyInput {
  ports: Ports;
  databases: Record<string, DatabaseUrls>;
  natsUrl: string;
  secrets: StackSecrets;
  caFile: string;
  /** Without it objects are files of assets. */
  s3?: S3Server | undefined;
}

const loopback = (port: number) => `http://127.0.0.1:${port}`;

export const addresses = ({ http, operations, images, callback, samples }: Ports) => ({
  baseUrl: `${loopback(http.gateway)}/api/v1`,
  consoleUrl: `${loopback(http.gateway)}/console`,
  shareUrl: loopback(http.share),
  healthUrl: `${loopback(operations.gateway)}/health/live`,
  objectsUrl: loopback(http.assets),
  imagesOrigin: `https://127.0.0.1:${images}`,
  callbackOrigin: loopback(callback),
  samplesOrigin: `https://127.0.0.1:${samples}`,
});

const publicKeys = ({ serviceKeys }: StackSecrets): string =>
  Object.entries(serviceKeys)
    .map(([name, key]) => `${name}:${publicKeyOf(Buffer.from(key, 'base64')).toString('base64')}`)
    .join(',');

const commonEnvironment = (name: ServiceName, { ports, secrets, databases }: TopologyInput) => ({
  NODE_ENV: 'development',
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
  HTTP_HOST: '127.0.0.1',
  HTTP_PORT: String(ports.http[name]),
  OPERATIONS_PORT: String(ports.operations[name]),
  OTEL_SERVICE_NAME: name,
  SERVICE_PRIVATE_KEY: secrets.serviceKeys[name]!,
  ...(name === 'gateway' ? {} : { GRPC_HOST: '127.0.0.1', GRPC_PORT: String(ports.grpc[name]), SERVICE_PUBLIC_KEYS: publicKeys(secrets) }),
  ...(databases[name] ? { DATABASE_URL: databases[name].runtimeUrl } : {}),
  ...(secrets.sealingKeys[name] ? { SEALING_KEYS: secrets.sealingKeys[name] } : {}),
});

const SITES = { CONSOLE_ROOT: 'dist/apps/console/site', CAPTURE_ROOT: 'dist/apps/capture/site', GUIDE_ROOT: 'dist/deploy/guide/site' };

/** The build output of the web console, of the capture page and of the guide. The gateway also runs without them. */
const siteRoots = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(SITES)
      .map(([name, path]) => [name, join(REPOSITORY_ROOT, path)] as const)
      .filter(([, built]) => existsSync(join(built, 'index.html'))),
  );

/** System tests that run beside each other have partners of their own. */
const partnerOrigins = ({ imagesOrigin, callbackOrigin, samplesOrigin }: ReturnType<typeof addresses>): string =>
  [imagesOrigin, callbackOrigin, samplesOrigin, process.env['OUTBOUND_ALLOWED_ORIGINS']].filter(Boolean).join();

const SMTP = ['SMTP_HOST', 'SMTP_PORT', 'SMTP_TLS', 'SMTP_FROM', 'SMTP_USER', 'SMTP_PASSWORD', 'SMTP_CA_FILE'];

/** The stack has no mail server of its own. */
const mailServer = (): Record<string, string> =>
  Object.fromEntries(SMTP.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

const objectStore = ({ ports, secrets, s3 }: TopologyInput): Record<string, string> =>
  s3
    ? {
        OBJECT_STORE: 's3',
        OBJECT_STORE_S3_ENDPOINT: s3.endpoint,
        OBJECT_STORE_S3_BUCKET: s3.bucket,
        OBJECT_STORE_S3_ACCESS_KEY: s3.accessKey,
        OBJECT_STORE_S3_SECRET_KEY: s3.secretKey,
      }
    : {
        OBJECT_STORE: 'disk',
        OBJECT_STORE_DISK_ROOT: join(stackDir(), 'objects'),
        OBJECT_STORE_DISK_PUBLIC_URL: addresses(ports).objectsUrl,
        OBJECT_STORE_DISK_SECRET: secrets.objectStoreSecret,
      };

/** The environment of each service: the variables of production with local values. */
export function serviceEnvironment(input: TopologyInput): Record<ServiceName, Record<string, string>> {
  const { ports, natsUrl, secrets, caFile } = input;
  const at = addresses(ports);
  const objectsOrigin = input.s3?.endpoint ?? at.objectsUrl;
  const grpc = (name: ServiceName) => `127.0.0.1:${ports.grpc[name]}`;
  const common = (name: ServiceName) => commonEnvironment(name, input);
  const nats = (name: EventingService) => ({ NATS_URL: natsUrl, NATS_PASSWORD: secrets.natsPasswords[name]! });
  const outbound = { OUTBOUND_ALLOWED_ORIGINS: partnerOrigins(at), OUTBOUND_EXTRA_CA_FILE: caFile };
  const publicAddresses = { PUBLIC_API_URL: at.baseUrl, SHARE_BASE_URL: at.shareUrl };
  return {
    gateway: {
      ...common('gateway'),
      ...publicAddresses,
      LEDGER_GRPC_URL: grpc('ledger'),
      CONTENT_GRPC_URL: grpc('content'),
      SHARE_GRPC_URL: grpc('share'),
      ASSETS_GRPC_URL: grpc('assets'),
      OBJECT_STORE_PUBLIC_ORIGIN: objectsOrigin,
      CONSOLE_SECRET_KEY: secrets.consoleSecretKey,
      ...siteRoots(),
      ...mailServer(),
      // One key sends all load here. Benches measure the edge and not its rate limit.
      RATE_LIMIT_PER_SECOND: process.env['RATE_LIMIT_PER_SECOND'] ?? '0',
    },
    ledger: {
      ...common('ledger'),
      ...nats('ledger'),
      ASSETS_GRPC_URL: grpc('assets'),
      CONTENT_GRPC_URL: grpc('content'),
      SHARE_GRPC_URL: grpc('share'),
      ...publicAddresses,
      OUTBOUND_ALLOWED_ORIGINS: outbound.OUTBOUND_ALLOWED_ORIGINS,
      // An expired test report is removed soon, so that tests and people do not wait a minute.
      RETENTION_INTERVAL_MS: '2000',
    },
    assets: {
      ...common('assets'),
      ...nats('assets'),
      ...objectStore(input),
      LEDGER_GRPC_URL: grpc('ledger'),
      ...outbound,
    },
    inference: {
      ...common('inference'),
      ...nats('inference'),
      ASSETS_GRPC_URL: grpc('assets'),
      MODEL_REPOSITORY: join(REPOSITORY_ROOT, 'apps/inference/models'),
      // Without this limit glibc keeps an arena for each thread of a decoder or a session.
      MALLOC_ARENA_MAX: '2',
    },
    content: { ...common('content'), ...nats('content'), LEDGER_GRPC_URL: grpc('ledger'), PUBLIC_API_URL: at.baseUrl },
    share: {
      ...common('share'),
      ...nats('share'),
      LEDGER_GRPC_URL: grpc('ledger'),
      CONTENT_GRPC_URL: grpc('content'),
      ASSETS_GRPC_URL: grpc('assets'),
      OBJECT_STORE_PUBLIC_ORIGIN: objectsOrigin,
      ...publicAddresses,
      ...outbound,
    },
  };
}

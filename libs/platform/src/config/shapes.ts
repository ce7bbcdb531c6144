import { isIP } from 'node:net';
import { z } from 'zod';
import { readKey, readPublicKeys } from '../grpc/identity';

const port = () => z.coerce.number().int().min(0).max(65_535);

const postgresUrl = () => z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' });

/** host:port of a server; an IPv6 host in brackets. */
export const grpcAddress = () => z.string().regex(/^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/, 'must be host:port');

/** An address to which paths are appended, without slashes at its end. */
export const baseUrl = () => z.url().transform((url) => url.replace(/\/+$/, ''));

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const serviceConfig = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('production')
    .describe('Where the service runs. In production the exceptions made for development are refused.'),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info').describe('The least severe log lines that are written.'),
  LOG_REQUESTS: z
    .stringbool()
    .default(true)
    .describe('Whether each HTTP request has a log line at info: method, route, status, time and ids; 100 a second of a process at most.'),
  HTTP_HOST: z.string().default('0.0.0.0').describe('Address on which the service listens for HTTP.'),
  HTTP_PORT: port().default(8080).describe('Port for HTTP: what is public.'),
  OPERATIONS_PORT: port()
    .default(9_464)
    .describe('Port for health and metrics over HTTP, at the address of HTTP_HOST. Not for the public.'),
  DRAIN_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(25_000)
    .default(0)
    .describe('How long the service still accepts requests after SIGTERM with readiness false, so that load balancers see it first.'),
};

/** The settings of a service that calls others. */
export const callerConfig = {
  SERVICE_PRIVATE_KEY: z
    .string()
    .refine((text) => readKey(text) !== null, 'must be base64 of 32 bytes')
    .optional()
    .describe('Ed25519 key (base64 of 32 bytes) that signs the gRPC calls of this service. Needed where SERVICE_PUBLIC_KEYS are required.'),
};

export const grpcConfig = {
  GRPC_HOST: z.string().default('0.0.0.0').describe('Address on which the service listens for gRPC.'),
  GRPC_PORT: port().default(50_051).describe('Port for gRPC.'),
  // Integration tests set `accepted`, because their client stands for several services and a token names one.
  GRPC_AUTH: z
    .enum(['required', 'accepted'])
    .default('required')
    .describe(
      'Whether a gRPC call needs the token of a service. `accepted` lets calls without a token through and is for the upgrade that introduces the keys only.',
    ),
  SERVICE_PUBLIC_KEYS: z
    .string()
    .default('')
    .refine((text) => readPublicKeys(text) !== null, 'must be name:base64 of 32 bytes, several with commas between')
    .describe(
      'Ed25519 public keys of the services that may call over gRPC: name:base64, separated by commas. A name may have two while its key is replaced.',
    ),
};

export const databaseConfig = {
  DATABASE_URL: postgresUrl().describe('Postgres as the runtime role, which row-level security binds.'),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(10).describe('Connections to Postgres at most.'),
};

export const migrationConfig = {
  MIGRATION_DATABASE_URL: postgresUrl().describe('Postgres as the owner role; only the migrate command has it.'),
  DATABASE_RUNTIME_ROLE: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be a plain role name')
    .describe('Role to which migrations grant what the service needs.'),
};

const isNatsUrl = (text: string): boolean => URL.canParse(text) && /^(nats|tls):$/.test(new URL(text).protocol);

export const natsConfig = {
  NATS_URL: z
    .string()
    .refine((text) => text.split(',').every((address) => isNatsUrl(address.trim())), {
      error: 'must be a nats:// or tls:// address, or several with commas between them',
    })
    .describe('NATS with JetStream: nats://host:port, or tls://host:port where nothing may pass without TLS; several with commas between.'),
  NATS_PASSWORD: z
    .string()
    .optional()
    .describe(
      'Password of the NATS user that has the name of the service. Without it the credentials in NATS_URL apply, if there are some.',
    ),
};

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));

/** The normalized origin. Undefined if it is not an http or https origin of this machine. */
export function loopbackOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const plain = /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username && !url.password;
  return plain && isLoopback(url.hostname) ? url.origin : undefined;
}

const listed = <T>(item: z.ZodType<T, string>) =>
  z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .pipe(z.array(item));

const isNameServer = (text: string): boolean => isIP(text) !== 0 || isIP(text.replace(/^\[(.*)\]:\d+$|^(.*):\d+$/, '$1$2')) !== 0;

const addressRange = z.string().transform((text, context) => {
  const [, address = '', bits] = /^([\da-fA-F:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bitsMax = { 4: 32, 6: 128 }[isIP(address)];
  const prefixBits = Number(bits ?? bitsMax);
  if (bitsMax !== undefined && prefixBits <= bitsMax) return { address, prefixBits };
  context.addIssue({ code: 'custom', message: 'must be IP addresses or ranges of them, as in 198.51.100.7,2001:db8::/32' });
  return z.NEVER;
});

export const outboundConfig = {
  OUTBOUND_ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((text, context) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
        .map((part) => {
          const origin = loopbackOrigin(part);
          if (!origin) context.addIssue({ code: 'custom', message: 'must be origins of this machine, as in https://127.0.0.1:8443' });
          return origin ?? '';
        }),
    )
    .meta({
      refusedInProduction: true,
      description:
        'Loopback origins, separated by commas, that the guard of outgoing requests lets through. For development: refused in production.',
    }),
  OUTBOUND_EXTRA_CA_FILE: z
    .string()
    .optional()
    .describe('PEM file with certificate authorities that outgoing requests trust beside the usual ones.'),
  OUTBOUND_PORTS: listed(z.coerce.number<string>().int().min(1).max(65_535)).describe(
    'Ports, separated by commas, to which outgoing requests may go beside 443.',
  ),
  OUTBOUND_DNS_SERVERS: listed(z.string().refine(isNameServer, 'must be IP addresses, with or without a port')).describe(
    'Name servers, separated by commas, that resolve the hosts of outgoing requests; those of the system where there are none.',
  ),
  OUTBOUND_FORBIDDEN_RANGES: listed(addressRange).describe(
    "Addresses or CIDR ranges, separated by commas, that outgoing requests never reach although they are public: this installation's load balancers and nodes, a NAT64 prefix of its network.",
  ),
};

export type OutboundConfig = z.infer<z.ZodObject<typeof outboundConfig>>;
export type ServiceConfig = z.infer<z.ZodObject<typeof serviceConfig>>;
export type GrpcConfig = z.infer<z.ZodObject<typeof grpcConfig>>;

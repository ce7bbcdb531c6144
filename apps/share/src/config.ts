import {
  baseUrl,
  callerConfig,
  databaseConfig,
  grpcAddress,
  grpcConfig,
  natsConfig,
  outboundConfig,
  retentionDays,
  sealingConfig,
  serviceConfig,
  trustedProxies,
} from '@tire/platform';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceConfig,
  ...callerConfig,
  ...grpcConfig,
  ...databaseConfig,
  ...natsConfig,
  ...outboundConfig,
  ...sealingConfig,
  LEDGER_GRPC_URL: grpcAddress().describe('Where the ledger listens for gRPC, as host:port.'),
  CONTENT_GRPC_URL: grpcAddress().describe('Where content listens for gRPC, as host:port.'),
  ASSETS_GRPC_URL: grpcAddress().describe('Where assets listens for gRPC, as host:port.'),
  PUBLIC_API_URL: baseUrl().describe('Address of the public API with its prefix; the links of a callback start with it.'),
  SHARE_BASE_URL: baseUrl().describe('Public address of this service: a share page is at /r/{token} under it.'),
  OBJECT_STORE_PUBLIC_ORIGIN: z.url().describe('Origin from which browsers load images; the only one the share page lets them load from.'),
  TRUSTED_PROXIES: trustedProxies().describe(
    'Addresses and networks of the proxies of this installation, separated by commas. What they append to X-Forwarded-For is trusted, and nothing else. Empty: the address of the connection is the visitor.',
  ),
  SHARE_LINK_LIFETIME_DAYS: z.coerce.number().int().min(1).max(3650).default(90).describe('How many days a share link stays valid.'),
  SHARE_PDFS_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(4)
    .describe('How many reports are made into a PDF at once, a quarter of them at most for one project. Others wait for their turn.'),
  CALLBACK_RETENTION_DAYS: retentionDays('callbacks', 90).describe(
    'After how many days ended callbacks are removed, with their attempts, in projects that chose nothing else in the console.',
  ),
  RETENTION_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(60_000)
    .describe('How often share looks for callbacks that are kept no longer.'),
  // An attempt that hangs holds a socket and a few kilobytes for 15 s. Thousands of receivers can hang before others have to wait.
  SHARE_CALLBACKS_AT_ONCE: z.coerce
    .number()
    .int()
    .min(2)
    .max(16_384)
    .default(4_096)
    .describe('How many tries of callbacks one process has under way at once; half of them at most of what was tried before.'),
});

export type Config = z.infer<typeof configSchema>;

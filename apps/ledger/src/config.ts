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
} from '@tire/platform';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceConfig,
  ...callerConfig,
  ...grpcConfig,
  ...databaseConfig,
  ...natsConfig,
  NATS_STREAM_REPLICAS: z.coerce
    .number()
    .int()
    .min(1)
    .max(5)
    .optional()
    .describe('How many servers of NATS keep each stream. Without it the setting of a stream stays, and a new stream is on one server.'),
  ...sealingConfig,
  ASSETS_GRPC_URL: grpcAddress().describe('Address (host:port) of the assets service'),
  SHARE_GRPC_URL: grpcAddress().describe('Address (host:port) of the share service'),
  CONTENT_GRPC_URL: grpcAddress().describe('Address (host:port) of the content service'),
  PUBLIC_API_URL: baseUrl().describe('Address of the public API as clients reach it, ending in /api/v1'),
  OUTBOUND_ALLOWED_ORIGINS: outboundConfig.OUTBOUND_ALLOWED_ORIGINS,
  SHARE_BASE_URL: baseUrl().describe('Address below which share pages open, as people reach it'),
  RECONCILE_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(5_000)
    .describe('How often the ledger looks for hand-overs without an answer'),
  RECONCILE_AFTER_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(60_000)
    .describe('How long a hand-over may wait for its answer before it is repeated'),
  FETCHES_PER_PROJECT: z.coerce
    .number()
    .int()
    .min(1)
    .default(32)
    .describe(
      'How many images of one project may be with the fetchers at once; the others wait in the database. A fetcher gives a project at most 16 places.',
    ),
  RETENTION_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(60_000)
    .describe('How often the ledger looks for what is kept no longer'),
  REPORT_RETENTION_DAYS: retentionDays('reports', 1_095).describe(
    'After how many days the reports of live projects are removed that chose nothing else in the console; 0: never',
  ),
  PHOTOGRAPH_RETENTION_DAYS: retentionDays('photographs', 0).describe(
    'After how many days photographs are removed, while their report stays, in projects that chose nothing else; 0: with the report',
  ),
  USAGE_RETENTION_DAYS: retentionDays('usage', 1_825).describe(
    'After how many days counts of usage are removed in projects that chose nothing else',
  ),
  TEST_REPORT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .default(30)
    .describe('After how many days the reports of test projects are removed that chose nothing else; 0: never'),
  IDEMPOTENCY_RETENTION_HOURS: z.coerce
    .number()
    .min(24)
    .default(168)
    .describe('How long a repeated Idempotency-Key is answered as it was the first time; the interface promises 24 hours'),
});

export type Config = z.infer<typeof configSchema>;

import { callerConfig, databaseConfig, grpcAddress, grpcConfig, natsConfig, outboundConfig, serviceConfig } from '@tire/platform';
import { z } from 'zod';
import type { S3StoreOptions } from './object-store/s3.store';

const SECRET_LENGTH_MIN = 32;
const HOUR_MS = 3_600_000;

export const configSchema = z
  .object({
    ...serviceConfig,
    ...callerConfig,
    ...grpcConfig,
    ...databaseConfig,
    ...natsConfig,
    ...outboundConfig,
    OBJECT_STORE: z
      .enum(['s3', 'disk'])
      .describe('Where image bytes lie: an S3 server, or a folder of this process (one replica, for a local stack).'),
    OBJECT_STORE_DISK_ROOT: z.string().optional().describe('disk: the folder.'),
    OBJECT_STORE_DISK_PUBLIC_URL: z
      .url()
      .optional()
      .describe("disk: address of this service's HTTP as clients reach it; upload addresses start with it."),
    OBJECT_STORE_DISK_SECRET: z
      .string()
      .min(SECRET_LENGTH_MIN)
      .optional()
      .describe('disk: secret that signs upload and read addresses, at least 32 characters.'),
    OBJECT_STORE_S3_ENDPOINT: z
      .url()
      .optional()
      .describe('s3: address of the server as clients reach it; addresses are signed for its host.'),
    OBJECT_STORE_S3_REGION: z.string().default('us-east-1').describe('s3: region.'),
    OBJECT_STORE_S3_BUCKET: z
      .string()
      .optional()
      .describe('s3: bucket, which must exist and keep no versions: what is discarded must be gone.'),
    OBJECT_STORE_S3_ACCESS_KEY: z.string().optional().describe('s3: access key.'),
    OBJECT_STORE_S3_SECRET_KEY: z.string().optional().describe('s3: secret key.'),
    DISPLAY_AHEAD: z
      .stringbool()
      .default(true)
      .describe(
        'Whether the derivatives that pages show are made as soon as an image is stored, where there is time; else at their first use.',
      ),
    RETENTION_INTERVAL_MS: z.coerce
      .number()
      .int()
      .min(1_000)
      .default(60_000)
      .describe('How often assets looks for photographs that are kept no longer; the ledger knows for how long each project keeps them.'),
    LEDGER_GRPC_URL: grpcAddress().describe('Address (host:port) of the ledger, which confirms that an image may be removed.'),
    CLEANING_EVERY_HOURS: z.coerce
      .number()
      .min(0)
      .default(24)
      .describe('How often the whole store is searched for images that nothing refers to; 0: never.'),
    CLEANING_GRACE_HOURS: z.coerce
      .number()
      .min(1)
      .default(24)
      .describe('How long such an image stays, beyond the two hours of an upload address; an upload must be registered by then.'),
  })
  .superRefine((config, context) => {
    for (const name of NEEDED[config.OBJECT_STORE]) {
      if (config[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: `needed for OBJECT_STORE=${config.OBJECT_STORE}` });
    }
  });

const NEEDED = {
  disk: ['OBJECT_STORE_DISK_ROOT', 'OBJECT_STORE_DISK_PUBLIC_URL', 'OBJECT_STORE_DISK_SECRET'],
  s3: ['OBJECT_STORE_S3_ENDPOINT', 'OBJECT_STORE_S3_BUCKET', 'OBJECT_STORE_S3_ACCESS_KEY', 'OBJECT_STORE_S3_SECRET_KEY'],
} as const;

export type Config = z.infer<typeof configSchema>;

export interface CleaningSettings {
  /** How often the whole object store is walked; 0: never. */
  readonly everyMs: number;
  /** How long an unreferenced image stays, beyond the life of an upload target. */
  readonly graceMs: number;
}

export const cleaningSettings = (config: Config): CleaningSettings => ({
  everyMs: config.CLEANING_EVERY_HOURS * HOUR_MS,
  graceMs: config.CLEANING_GRACE_HOURS * HOUR_MS,
});

/** The schema checks that these are set. */
export const s3Options = (config: Config): S3StoreOptions => ({
  endpoint: config.OBJECT_STORE_S3_ENDPOINT!,
  region: config.OBJECT_STORE_S3_REGION,
  bucket: config.OBJECT_STORE_S3_BUCKET!,
  accessKey: config.OBJECT_STORE_S3_ACCESS_KEY!,
  secretKey: config.OBJECT_STORE_S3_SECRET_KEY!,
});

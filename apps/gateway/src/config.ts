import { databaseConfig, grpcAddress, serviceConfig } from '@tire/platform';
import { z } from 'zod';

export const gatewayConfig = z.object({
  ...serviceConfig,
  ...databaseConfig,
  LEDGER_GRPC_URL: grpcAddress().describe('Address (host:port) of the ledger service.'),
  CONTENT_GRPC_URL: grpcAddress().describe('Address (host:port) of the content service.'),
  SHARE_GRPC_URL: grpcAddress().describe('Address (host:port) of the share service.'),
  PUBLIC_API_URL: z
    .url()
    .transform((url) => url.replace(/\/+$/, ''))
    .describe('Address of the public API as clients reach it, ending in /api/v1; links in answers start with it.'),
});

export type GatewayConfig = z.infer<typeof gatewayConfig>;

/** What the admin command reads: it runs beside the service, with the same variable. */
export const adminConfig = z.object({ DATABASE_URL: databaseConfig.DATABASE_URL });

import { baseUrl, callerConfig, databaseConfig, grpcAddress, grpcConfig, natsConfig, serviceConfig } from '@tire/platform';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceConfig,
  ...callerConfig,
  ...grpcConfig,
  ...databaseConfig,
  ...natsConfig,
  LEDGER_GRPC_URL: grpcAddress().describe('Where the ledger listens for gRPC, as host:port.'),
  PUBLIC_API_URL: baseUrl().describe(
    'Address of the public API with its prefix, as in https://host/api/v1; the links of a content document start with it.',
  ),
});

export type Config = z.infer<typeof configSchema>;

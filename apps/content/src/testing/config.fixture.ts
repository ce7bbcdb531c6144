import { parseEnvironment } from '@tire/platform';
import { type Config, configSchema } from '../config';

interface Addresses {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly ledgerUrl: string;
}

/** The configuration of a service that listens on free ports of this machine. */
export const testConfig = ({ databaseUrl, natsUrl, ledgerUrl }: Addresses): Config =>
  parseEnvironment(configSchema, {
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    OPERATIONS_PORT: '0',
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    GRPC_AUTH: 'accepted',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '4',
    NATS_URL: natsUrl,
    LEDGER_GRPC_URL: ledgerUrl,
    PUBLIC_API_URL: 'https://api.example.com/api/v1',
  });

import { createTestDatabase, eventually, freePort, spawnTypeScript, startNats, startSmallS3 } from '@tire/test-harness';
import { once } from 'node:events';

export const OWN_BUCKET = 'product';
export const CUSTOMER_BUCKET = 'customer';

/** Assets as its own process on an S3 server, and the S3 server of a customer. */
export async function startExportStore() {
  const [nats, database, own, customer] = await Promise.all([
    startNats(),
    createTestDatabase({ name: 'assets', migrations: [] }),
    startSmallS3(OWN_BUCKET),
    startSmallS3(CUSTOMER_BUCKET),
  ]);
  const [grpcPort, operationsPort] = [await freePort(), await freePort()];
  const child = spawnTypeScript('./libs/test-harness/src/migrated-service.fixture.ts', ['apps/assets/src'], {
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    MIGRATION_DATABASE_URL: database.ownerUrl,
    DATABASE_RUNTIME_ROLE: new URL(database.url).username,
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    OPERATIONS_PORT: String(operationsPort),
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: String(grpcPort),
    GRPC_AUTH: 'accepted',
    // Nothing asks it here.
    LEDGER_GRPC_URL: '127.0.0.1:1',
    OBJECT_STORE: 's3',
    OBJECT_STORE_S3_ENDPOINT: `http://127.0.0.1:${own.port}`,
    OBJECT_STORE_S3_BUCKET: OWN_BUCKET,
    OBJECT_STORE_S3_ACCESS_KEY: own.accessKey,
    OBJECT_STORE_S3_SECRET_KEY: own.secretKey,
    OUTBOUND_ALLOWED_ORIGINS: `http://127.0.0.1:${customer.port}`,
  });
  const ready = async () => (await fetch(`http://127.0.0.1:${operationsPort}/health/ready`)).ok;
  await Promise.race([
    eventually(ready, { message: 'assets is not ready' }),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`assets ended with ${code} before it was ready`))),
  ]);
  return {
    address: `127.0.0.1:${grpcPort}`,
    /** What a customer enters. */
    bucket: {
      endpoint: `http://127.0.0.1:${customer.port}`,
      region: 'us-east-1',
      bucket: CUSTOMER_BUCKET,
      prefix: 'tire/reports/',
      access_key_id: customer.accessKey,
      secret_access_key: customer.secretKey,
    },
    /** An object of the customer, which the server shows without a signature. */
    delivered: (name: string) => fetch(`http://127.0.0.1:${customer.port}/${CUSTOMER_BUCKET}/tire/reports/${name}`),
    stored: (projectId: string, name: string) => fetch(`http://127.0.0.1:${own.port}/${OWN_BUCKET}/projects/${projectId}/exports/${name}`),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await Promise.all([own.stop(), customer.stop(), database.drop()]);
      await nats.stop();
    },
  };
}

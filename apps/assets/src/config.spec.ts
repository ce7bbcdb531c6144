import { parseEnvironment } from '@tire/platform';
import { configSchema } from './config';

const BASE = { DATABASE_URL: 'postgres://u:p@localhost/assets', NATS_URL: 'nats://localhost:4222', LEDGER_GRPC_URL: 'ledger:50051' };

describe('the environment of assets', () => {
  it.each([
    ['disk', ['OBJECT_STORE_DISK_ROOT', 'OBJECT_STORE_DISK_PUBLIC_URL', 'OBJECT_STORE_DISK_SECRET']],
    ['s3', ['OBJECT_STORE_S3_ENDPOINT', 'OBJECT_STORE_S3_BUCKET', 'OBJECT_STORE_S3_ACCESS_KEY', 'OBJECT_STORE_S3_SECRET_KEY']],
  ])('lists all settings that OBJECT_STORE=%s requires and that are missing', (kind, missing) => {
    const faults = () => parseEnvironment(configSchema, { ...BASE, OBJECT_STORE: kind });
    for (const name of missing) expect(faults).toThrow(name);
  });

  it('has no default secret and no short one', () => {
    const disk = { OBJECT_STORE: 'disk', OBJECT_STORE_DISK_ROOT: '/objects', OBJECT_STORE_DISK_PUBLIC_URL: 'https://objects.example' };
    expect(() => parseEnvironment(configSchema, { ...BASE, ...disk, OBJECT_STORE_DISK_SECRET: 'short' })).toThrow(
      'OBJECT_STORE_DISK_SECRET',
    );
    expect(parseEnvironment(configSchema, { ...BASE, ...disk, OBJECT_STORE_DISK_SECRET: 'x'.repeat(32) }).NODE_ENV).toBe('production');
  });

  it('refuses a hole in the outbound guard in production', () => {
    expect(() => parseEnvironment(configSchema, { ...BASE, OUTBOUND_ALLOWED_ORIGINS: 'https://127.0.0.1:8443' })).toThrow(
      'OUTBOUND_ALLOWED_ORIGINS',
    );
  });
});

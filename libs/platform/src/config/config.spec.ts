import { z } from 'zod';
import { ConfigError, describeEnvironment, parseEnvironment } from './environment';
import { databaseConfig, grpcAddress, grpcConfig, migrationConfig, natsConfig, outboundConfig, serviceConfig } from './shapes';

const schema = z.object({
  ...serviceConfig,
  ...grpcConfig,
  ...databaseConfig,
  ...natsConfig,
  ...outboundConfig,
  LEDGER_GRPC_URL: grpcAddress().describe('Where the ledger listens.'),
  SECRET: z.string().min(32).describe('Signs addresses.'),
});

const GOOD = {
  DATABASE_URL: 'postgres://runtime:pw@db/tire',
  NATS_URL: 'nats://nats:4222',
  LEDGER_GRPC_URL: 'ledger:50051',
  SECRET: 'x'.repeat(32),
};

const faultsOf = (env: Record<string, string>) => {
  try {
    parseEnvironment(schema, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ variable, fault }) => `${variable}: ${fault}`);
  }
};

describe('parseEnvironment', () => {
  it('returns typed values, and safe defaults', () => {
    expect(parseEnvironment(schema, { ...GOOD, HTTP_PORT: '8081', OTHER: 'ignored' })).toEqual({
      ...GOOD,
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      LOG_REQUESTS: true,
      HTTP_HOST: '0.0.0.0',
      HTTP_PORT: 8081,
      OPERATIONS_PORT: 9_464,
      GRPC_HOST: '0.0.0.0',
      GRPC_PORT: 50_051,
      GRPC_AUTH: 'required',
      SERVICE_PUBLIC_KEYS: '',
      DATABASE_POOL_SIZE: 10,
      DRAIN_DELAY_MS: 0,
      OUTBOUND_ALLOWED_ORIGINS: [],
      OUTBOUND_PORTS: [],
      OUTBOUND_DNS_SERVERS: [],
      OUTBOUND_FORBIDDEN_RANGES: [],
    });
  });

  it.each(['nats://a:4222,nats://b:4222', 'tls://tire:p%40ss@a:4222, tls://b:4222'])('accepts NATS at %s', (NATS_URL) => {
    expect(faultsOf({ ...GOOD, NATS_URL })).toEqual([]);
  });

  it.each(['ws://a:4222', 'a:4222', 'nats://a:4222,', 'nats://a:4222,http://b:4222'])('refuses NATS at %s', (NATS_URL) => {
    expect(faultsOf({ ...GOOD, NATS_URL })).toEqual([expect.stringMatching(/^NATS_URL: /)]);
  });

  it('reports every error in one message, without values', () => {
    const env = {
      DATABASE_URL: 'mysql://u:hunter2@db',
      HTTP_PORT: '99999',
      LEDGER_GRPC_URL: 'http://x',
      SECRET: 'short-secret',
      NATS_URL: ' ',
    };
    expect(faultsOf(env).map((fault) => fault.split(':')[0])).toEqual([
      'HTTP_PORT',
      'DATABASE_URL',
      'NATS_URL',
      'LEDGER_GRPC_URL',
      'SECRET',
    ]);
    expect(faultsOf(env)).toContain('NATS_URL: required');
    expect(() => parseEnvironment(schema, env)).toThrow(/HTTP_PORT: .*DATABASE_URL: .*SECRET: /);
    expect(faultsOf(env).join()).not.toMatch(/hunter2|short-secret|99999/);
  });

  it('has no default for secrets and addresses', () => {
    expect(faultsOf({}).sort()).toEqual(['DATABASE_URL: required', 'LEDGER_GRPC_URL: required', 'NATS_URL: required', 'SECRET: required']);
  });

  describe('exceptions for outgoing requests', () => {
    const withOrigins = (origins: string, NODE_ENV?: string) => ({
      ...GOOD,
      OUTBOUND_ALLOWED_ORIGINS: origins,
      ...(NODE_ENV ? { NODE_ENV } : {}),
    });

    it('are loopback origins', () => {
      const config = parseEnvironment(schema, withOrigins('https://127.0.0.1:8443, http://localhost:80,http://[::1]:9', 'development'));
      expect(config.OUTBOUND_ALLOWED_ORIGINS).toEqual(['https://127.0.0.1:8443', 'http://localhost', 'http://[::1]:9']);
    });

    it.each(['https://example.com', 'https://10.0.0.1', '127.0.0.1', 'https://127.0.0.1/path', 'ftp://127.0.0.1', 'https://u@127.0.0.1'])(
      'are not %s',
      (origin) => expect(faultsOf(withOrigins(origin, 'development'))).toHaveLength(1),
    );

    it('are refused in production, which is the default', () => {
      const refused = ['OUTBOUND_ALLOWED_ORIGINS: refused in production'];
      expect(faultsOf(withOrigins('https://127.0.0.1:8443', 'production'))).toEqual(refused);
      expect(faultsOf(withOrigins('https://127.0.0.1:8443'))).toEqual(refused);
      expect(faultsOf(withOrigins('', 'production'))).toEqual([]);
    });
  });

  it('accepts ranges that outgoing requests never reach', () => {
    const ranges = { OUTBOUND_FORBIDDEN_RANGES: '198.51.100.7, 203.0.113.0/24,2001:db8::/32' };
    expect(parseEnvironment(schema, { ...GOOD, ...ranges }).OUTBOUND_FORBIDDEN_RANGES).toEqual([
      { address: '198.51.100.7', prefixBits: 32 },
      { address: '203.0.113.0', prefixBits: 24 },
      { address: '2001:db8::', prefixBits: 32 },
    ]);
  });

  it.each(['example.com', '10.0.0.0/33', '::/129', '10.0.0/8', '10.0.0.0/', 'fe80::1%eth0', '1.2.3.4/-1'])('%s is not a range', (range) => {
    expect(faultsOf({ ...GOOD, OUTBOUND_FORBIDDEN_RANGES: range })).toHaveLength(1);
  });

  it.each(['ledger:50051', '127.0.0.1:1', '[::1]:50051', 'ledger.tire.svc.cluster.local:50051'])('%s is a gRPC address', (address) => {
    expect(grpcAddress().safeParse(address).success).toBe(true);
  });

  it.each(['ledger', 'http://ledger:50051', ':50051', 'ledger:port', 'a b:1', '::1:50051'])('%s is not a gRPC address', (address) => {
    expect(grpcAddress().safeParse(address).success).toBe(false);
  });

  it.each(['tire; DROP', 'a b', '-x', 'A'])('%j is not a role name', (role) => {
    expect(migrationConfig.DATABASE_RUNTIME_ROLE.safeParse(role).success).toBe(false);
  });
});

describe('describeEnvironment', () => {
  it('has a row for each variable, with its description', () => {
    const rows = describeEnvironment(schema);
    expect(rows.find(({ name }) => name === 'HTTP_PORT')).toEqual({
      name: 'HTTP_PORT',
      required: false,
      default: '8080',
      description: expect.stringContaining('Port'),
    });
    expect(rows.find(({ name }) => name === 'DATABASE_URL')).toMatchObject({ required: true, default: '' });
    expect(rows.find(({ name }) => name === 'OUTBOUND_ALLOWED_ORIGINS')).toMatchObject({ required: false, default: '' });
    expect(rows.every(({ description }) => description.length > 10)).toBe(true);
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(schema.shape));
  });
});

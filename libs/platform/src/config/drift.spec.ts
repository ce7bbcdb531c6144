import { z } from 'zod';
import { changedDefaults, disagreements, editsBetween, ownSettings, unreadVariables } from './drift';
import { baseUrl, callerConfig, databaseConfig, grpcConfig, natsConfig, outboundConfig, serviceConfig } from './shapes';

const SETTINGS = [
  'HTTP_PORT',
  'DATABASE_URL',
  'DATABASE_POOL_SIZE',
  'NATS_URL',
  'REPORT_RETENTION_DAYS',
  'USAGE_RETENTION_DAYS',
  'SMTP_USER',
  'SMTP_PASSWORD',
  'SERVICE_PRIVATE_KEY',
];

describe('unreadVariables', () => {
  it.each([
    ['LEDGER_RETENTON_DAYS', ['REPORT_RETENTION_DAYS', 'USAGE_RETENTION_DAYS']],
    ['REPORT_RETENTION_DAY', ['REPORT_RETENTION_DAYS', 'USAGE_RETENTION_DAYS']],
    ['REPORT_RETENTION', ['REPORT_RETENTION_DAYS']],
    ['RETENTION_DAYS_REPORT', ['REPORT_RETENTION_DAYS', 'USAGE_RETENTION_DAYS']],
    ['DATABASE_URI', ['DATABASE_URL']],
    ['DATABSE_URL', ['DATABASE_URL']],
    ['NATSURL', ['NATS_URL']],
    ['SMTP_USERNAME', ['SMTP_USER']],
    ['SMTP_PASS', ['SMTP_PASSWORD']],
    ['database_url', ['DATABASE_URL']],
  ])('%s is taken for a setting', (variable, near) => {
    expect(unreadVariables(SETTINGS, [variable])).toEqual([{ variable, near }]);
  });

  it.each([
    ...SETTINGS,
    'PATH',
    'HOME',
    'HOSTNAME',
    'PORT',
    'HTTP_PROXY',
    'PGPASSWORD',
    'NODE_OPTIONS',
    'OTEL_SERVICE_NAME',
    'KUBERNETES_SERVICE_PORT',
    'TIRE_LEDGER_PORT_50051_TCP_PORT',
    'NATS_SERVICE_HOST',
    'AWS_SECRET_ACCESS_KEY',
    'MALLOC_ARENA_MAX',
    '_',
  ])('%s is not', (variable) => {
    expect(unreadVariables(SETTINGS, [variable])).toEqual([]);
  });
});

it.each([
  ['', '', 0],
  ['abc', '', 3],
  ['abc', 'abc', 0],
  ['abc', 'acb', 1],
  ['abcd', 'abxd', 1],
  ['kitten', 'sitting', 3],
])('from %j to %j: %d edits', (left, right, edits) => {
  expect([editsBetween(left, right), editsBetween(right, left)]).toEqual([edits, edits]);
});

const schema = z.object({
  ...serviceConfig,
  ...callerConfig,
  ...grpcConfig,
  ...databaseConfig,
  ...natsConfig,
  ...outboundConfig,
  PUBLIC_API_URL: baseUrl(),
  SHARE_BASE_URL: baseUrl().optional(),
});
const KEY = Buffer.alloc(32, 1).toString('base64');
const ENV = {
  DATABASE_URL: 'postgres://u:hunter2@db/tire',
  NATS_URL: 'nats://nats:4222',
  NATS_PASSWORD: 'hunter3',
  SERVICE_PRIVATE_KEY: KEY,
  PUBLIC_API_URL: 'https://host/api/v1',
};

describe('changedDefaults', () => {
  it.each([
    ['nothing', {}, {}],
    ['the default', { HTTP_PORT: '8080', LOG_REQUESTS: 'true', OUTBOUND_PORTS: '' }, {}],
    ['a number', { DATABASE_POOL_SIZE: '20' }, { DATABASE_POOL_SIZE: '20' }],
    ['a list', { OUTBOUND_PORTS: '8443, 9443' }, { OUTBOUND_PORTS: '8443, 9443' }],
    ['what is no setting', { OTHER: 'x' }, {}],
  ])('%s', (_what, env, changed) => {
    expect(changedDefaults(schema, { ...ENV, ...env })).toEqual(changed);
  });

  it('shows no whole list of hundreds of addresses', () => {
    expect(changedDefaults(schema, { SERVICE_PUBLIC_KEYS: 'x'.repeat(10_000) })['SERVICE_PUBLIC_KEYS']).toHaveLength(200);
  });
});

describe('ownSettings', () => {
  it('has no secret, and no fingerprint of one that somebody could try out', () => {
    const own = ownSettings(schema, ENV);
    expect(Object.keys(own.given).sort()).toEqual(['DATABASE_URL', 'NATS_PASSWORD', 'NATS_URL', 'PUBLIC_API_URL', 'SERVICE_PRIVATE_KEY']);
    expect(JSON.stringify(own)).not.toMatch(/hunter|postgres/);
    expect(JSON.stringify(own)).not.toContain(KEY);
    const other = ownSettings(schema, { ...ENV, SERVICE_PRIVATE_KEY: Buffer.alloc(32, 2).toString('base64') });
    expect(other.given['NATS_PASSWORD']).not.toBe(own.given['NATS_PASSWORD']);
    expect(ownSettings(schema, { ...ENV, SERVICE_PRIVATE_KEY: '' }).given).toEqual({});
  });

  it.each([
    ['a password', { NATS_PASSWORD: 'other' }, true],
    ['a setting with a default', { DATABASE_POOL_SIZE: '11' }, true],
    ['a default, written out', { DATABASE_POOL_SIZE: '10' }, false],
    ['a port of one process', { HTTP_PORT: '9000' }, false],
    ['what is no setting', { HOSTNAME: 'pod-2' }, false],
  ])('tells replicas apart by %s: %s', (_what, env, differs) => {
    expect(ownSettings(schema, { ...ENV, ...env }).replicas !== ownSettings(schema, ENV).replicas).toBe(differs);
  });
});

describe('what services share', () => {
  const shared = (env: object) => ownSettings(schema, { ...ENV, ...env }).shared;

  it.each<[string, object, object, string[]]>([
    ['the same', {}, {}, []],
    ['secrets of their own', { NATS_PASSWORD: 'a' }, { NATS_PASSWORD: 'b' }, []],
    ['a slash at the end', {}, { PUBLIC_API_URL: 'https://host/api/v1/' }, []],
    ['the order of a list', { OUTBOUND_FORBIDDEN_RANGES: '1.2.3.4,fd00::/8' }, { OUTBOUND_FORBIDDEN_RANGES: 'fd00::/8, 1.2.3.4' }, []],
    ['a default beside the same value', {}, { NODE_ENV: 'production' }, []],
    ['another address', {}, { PUBLIC_API_URL: 'https://other/api/v1' }, ['PUBLIC_API_URL']],
    ['one with an exception', { OUTBOUND_FORBIDDEN_RANGES: '1.2.3.4' }, {}, ['OUTBOUND_FORBIDDEN_RANGES']],
    ['one that lets calls without a token through', {}, { GRPC_AUTH: 'accepted' }, ['GRPC_AUTH']],
    ['a development service in production', { NODE_ENV: 'development' }, {}, ['NODE_ENV']],
    ['an optional setting that one does not have', {}, { SHARE_BASE_URL: 'https://pages' }, []],
  ])('%s', (_what, ours, theirs, expected) => {
    expect(disagreements(shared(ours), shared(theirs))).toEqual(expected);
    expect(disagreements(shared(theirs), shared(ours))).toEqual(expected);
  });

  it('is exact as the value of a metric', () => {
    for (const fingerprint of Object.values(shared({})))
      expect(Number.parseInt(fingerprint, 16)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
  });
});

import { configSchema } from '../config';
import { consoleSettings } from './console-settings';

const config = {
  ...{ CONSOLE_IDLE_MINUTES: 60, CONSOLE_SESSION_HOURS: 12 },
  ...{ KAKAO_SDK_URL: 'https://kakao.example/sdk.js', KAKAO_SDK_INTEGRITY: 'sha384-AAAA' },
};

describe('the console cookie', () => {
  it.each([
    ['production', 'https://tires.example/api/v1', '__Host-console', true],
    ['production', 'http://127.0.0.1:8080/api/v1', '__Host-console', true],
    ['development', 'https://tires.example/api/v1', '__Host-console', true],
    ['development', 'http://127.0.0.1:8080/api/v1', 'console-development', false],
  ] as const)('in %s at %s is %s', (NODE_ENV, PUBLIC_API_URL, name, secure) => {
    const { cookie, origin } = consoleSettings({ ...config, NODE_ENV, PUBLIC_API_URL });
    expect([cookie, origin]).toEqual([{ name, secure }, new URL(PUBLIC_API_URL).origin]);
  });
});

describe('the sealing key', () => {
  const key = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  const settings = (over: object) =>
    consoleSettings({ ...config, NODE_ENV: 'development', PUBLIC_API_URL: 'http://127.0.0.1:8080/api/v1', ...over });

  it('is the configured one; the public default is used in development only', () => {
    const [{ id, key: configured }] = settings({ CONSOLE_SECRET_KEY: key }).sealingKeys;
    expect([id, configured.export()]).toEqual(['k1', Buffer.alloc(32, 7)]);
    expect(settings({}).sealingKeys.map(({ id }) => id)).toEqual(['development']);
  });

  it.each([
    ['production', undefined, ['CONSOLE_SECRET_KEY']],
    ['production', 'k1:short', ['CONSOLE_SECRET_KEY']],
    ['production', key, []],
    ['development', undefined, []],
  ])('in %s with %p', (NODE_ENV, CONSOLE_SECRET_KEY, missing) => {
    const address = '127.0.0.1:1';
    const { error } = configSchema.safeParse({
      NODE_ENV,
      CONSOLE_SECRET_KEY,
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      PUBLIC_API_URL: 'https://tires.example/api/v1',
      LEDGER_GRPC_URL: address,
      CONTENT_GRPC_URL: address,
      ASSETS_GRPC_URL: address,
      SHARE_GRPC_URL: address,
    });
    expect((error?.issues ?? []).map(({ path }) => path.join('.'))).toEqual(missing);
  });
});

describe('the OpenID Connect provider', () => {
  const address = '127.0.0.1:1';
  const given = {
    NODE_ENV: 'development',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    PUBLIC_API_URL: 'https://tires.example/api/v1',
    LEDGER_GRPC_URL: address,
    CONTENT_GRPC_URL: address,
    ASSETS_GRPC_URL: address,
    SHARE_GRPC_URL: address,
    CONSOLE_SECRET_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    CONSOLE_OIDC_ISSUER: 'https://accounts.example',
    CONSOLE_OIDC_CLIENT_ID: 'console',
  };

  it.each([
    [{}, []],
    [{ NODE_ENV: 'production' }, []],
    [{ CONSOLE_OIDC_ISSUER: 'http://127.0.0.1:9000' }, []],
    [{ CONSOLE_OIDC_ISSUER: 'http://127.0.0.1:9000', NODE_ENV: 'production' }, ['CONSOLE_OIDC_ISSUER']],
    [{ CONSOLE_OIDC_ISSUER: 'http://accounts.example' }, ['CONSOLE_OIDC_ISSUER']],
    [{ CONSOLE_OIDC_CLIENT_ID: undefined }, ['CONSOLE_OIDC_CLIENT_ID']],
    [{ CONSOLE_OIDC_ISSUER: undefined }, ['CONSOLE_OIDC_ISSUER']],
    [{ CONSOLE_OIDC_ISSUER: undefined, CONSOLE_OIDC_CLIENT_ID: undefined }, []],
    [{ CONSOLE_OIDC_ISSUER: undefined, CONSOLE_OIDC_CLIENT_ID: undefined, CONSOLE_OIDC_CLIENT_SECRET: 'x' }, ['CONSOLE_OIDC_ISSUER']],
  ])('configured with %j', (over, faults) => {
    const { error } = configSchema.safeParse({ ...given, ...over });
    expect((error?.issues ?? []).map(({ path }) => path.join('.'))).toEqual(faults);
  });

  it('uses the host as its default name, and is null without a configuration', () => {
    const settings = (over: object) =>
      consoleSettings({ ...config, NODE_ENV: 'development', PUBLIC_API_URL: given.PUBLIC_API_URL, ...over }).openId;
    expect(settings({ CONSOLE_OIDC_ISSUER: given.CONSOLE_OIDC_ISSUER, CONSOLE_OIDC_CLIENT_ID: 'console' })).toEqual({
      issuer: 'https://accounts.example',
      clientId: 'console',
      clientSecret: null,
      name: 'accounts.example',
    });
    expect(settings({})).toBeNull();
  });
});

import { consoleSettings } from './settings';

const config = { CONSOLE_IDLE_MINUTES: 60, CONSOLE_SESSION_HOURS: 12, PROXY_HOPS: 0 };

describe('the cookie of the console', () => {
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

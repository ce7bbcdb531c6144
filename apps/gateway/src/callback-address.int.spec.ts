import { freePort } from '@tire/test-harness';
import { startGateway } from './testing/gateway';

/** The services behind are away here: what gets past the edge is answered 503. */
describe('a callback_url without TLS', () => {
  const gateways: Awaited<ReturnType<typeof startGateway>>[] = [];
  afterEach(() => Promise.all(gateways.splice(0).map((gateway) => gateway.stop())));

  async function creating(NODE_ENV: string, callback_url: string) {
    const nobody = `127.0.0.1:${await freePort()}`;
    const behind = { LEDGER_GRPC_URL: nobody, CONTENT_GRPC_URL: nobody, SHARE_GRPC_URL: nobody };
    const environment = { NODE_ENV, CONSOLE_SECRET_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}` };
    const gateway = await startGateway(await freePort(), behind, { environment });
    gateways.push(gateway);
    const { status, error } = await gateway.call('POST', '/reports', { key: await gateway.keyWith(['report:*']), body: { callback_url } });
    return [status, error?.param];
  }

  it.each([
    ['production', 'http://partner.example/hook', 422, 'callback_url'],
    ['production', 'HTTP://partner.example/hook', 422, 'callback_url'],
    ['production', 'https://partner.example/hook', 503, null],
    ['development', 'http://partner.example/hook', 503, null],
  ])('in %s %s is answered %i', async (mode, url, status, param) => {
    expect(await creating(mode, url)).toEqual([status, param]);
  });
});

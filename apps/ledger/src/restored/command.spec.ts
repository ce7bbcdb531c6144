import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { pageOpener } from './command';

describe('the page of a report', () => {
  it('opens with status 200 only, and does not where nobody answers', async () => {
    const server = createServer(({ url }, answer) => answer.writeHead(url === '/r/open' ? 200 : 410).end('page')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const opens = pageOpener(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect([await opens('open'), await opens('closed')]).toEqual([true, false]);
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    expect(await opens('open')).toBe(false);
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freePort } from '@tire/test-harness';
import { readObject } from './read-object';

const LIMITS = { timeoutMs: 500, maxBytes: 10 };
let server: Server;
let address: string;
let away: number;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/silent') return;
    if (request.url === '/none') return response.writeHead(404).end('no such object');
    if (request.url === '/whole') return response.end('0123456789');
    response.writeHead(200, { 'content-length': 20 }).write('three');
    if (request.url === '/large') response.end('x'.repeat(15));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  away = await freePort();
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each(['/silent', '/stalls'])('ends in time where the store is silent (%s), also after garbage collections', async (path) => {
  const ended = expect(readObject(address + path, LIMITS)).rejects.toThrow('no end within 500 ms');
  const collecting = setInterval(collectGarbage, 50);
  await ended.finally(() => clearInterval(collecting));
});

it('ends with the signal', async () => {
  const ending = new AbortController();
  const ended = expect(readObject(`${address}/silent`, { ...LIMITS, timeoutMs: 600_000, signal: ending.signal })).rejects.toThrow(
    'the process ends',
  );
  ending.abort(new Error('the process ends'));
  await ended;
  await expect(readObject(`${address}/silent`, { ...LIMITS, timeoutMs: 600_000, signal: ending.signal })).rejects.toThrow(
    'the process ends',
  );
});

it('reads an object', async () => {
  expect((await readObject(`${address}/whole`, { ...LIMITS, timeoutMs: 600_000 })).toString()).toBe('0123456789');
});

it('sends the request again where the store closed the connection that was kept', async () => {
  let requests = 0;
  const closing = createServer((request, response) => {
    requests += 1;
    // The first connection takes one request.
    if (requests === 2) request.socket.destroy();
    else response.end(String(requests));
  });
  await once(closing.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(closing.address() as AddressInfo).port}/any`;
  const read = async () => (await readObject(url, { ...LIMITS, timeoutMs: 600_000 })).toString();
  expect([await read(), await read()]).toEqual(['1', '3']);
  closing.closeAllConnections();
  closing.close();
});

it('throws where the object ends early', async () => {
  const closing = createServer((_, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('half', () => response.destroy());
  });
  await once(closing.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(closing.address() as AddressInfo).port}/any`;
  await expect(readObject(url, { ...LIMITS, timeoutMs: 600_000 })).rejects.toThrow('aborted');
  closing.close();
});

it.each([
  ['that does not exist', () => address, '/none', 'the store answered 404'],
  ['of a store that is unavailable', () => `http://127.0.0.1:${away}`, '/any', 'the store cannot be reached'],
])('throws for an object %s', async (_, of, path, message) => {
  await expect(readObject(of() + path, { ...LIMITS, timeoutMs: 600_000 })).rejects.toThrow(message);
});

it('refuses more bytes than the limit', async () => {
  await expect(readObject(`${address}/large`, { ...LIMITS, timeoutMs: 600_000 })).rejects.toThrow('larger than 10 bytes');
});

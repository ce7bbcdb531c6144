import { HttpAdapterHost } from '@nestjs/core';
import fastify from 'fastify';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { VISITORS_MAX, VisitorGate } from './visitor-gate';

it('one address gets at most half of the places, and another one still gets a page', async () => {
  const server = fastify();
  const host = { httpAdapter: { getInstance: () => server } } as unknown as HttpAdapterHost;
  new VisitorGate(host, { TRUSTED_PROXIES: '' }).onModuleInit();
  const held: (() => void)[] = [];
  server.get('/r/:token', async ({ ip }) => {
    if (ip === '192.0.2.1') await new Promise<void>((resolve) => held.push(resolve));
    return 'a page';
  });
  const visit = async (remoteAddress: string, url = '/r/token') => (await server.inject({ url, remoteAddress })).statusCode;
  const visits = Array.from({ length: VISITORS_MAX / 2 }, () => visit('192.0.2.1'));
  // A refusal is the answer to the first visit that finds no place.
  expect([await visit('192.0.2.1'), await visit('192.0.2.2'), await visit('192.0.2.1', '/health')]).toEqual([503, 200, 404]);
  const { body } = await server.inject({ url: '/r/token?lang=en', remoteAddress: '192.0.2.1' });
  expect(body).toContain('<html lang="en-US">');
  for (const release of held) release();
  expect(new Set(await Promise.all(visits))).toEqual(new Set([200]));
  const again = visit('192.0.2.1');
  while (held.length === VISITORS_MAX / 2) await new Promise(setImmediate);
  held.at(-1)!();
  expect(await again).toBe(200);
  await server.close();
});

it.each(['/r/token', '/%72/token', 'http://share.example/r/token'])('a visit of %s takes a place', async (path) => {
  const server = fastify();
  const host = { httpAdapter: { getInstance: () => server } } as unknown as HttpAdapterHost;
  new VisitorGate(host, { TRUSTED_PROXIES: '' }).onModuleInit();
  server.get('/r/:token', ({ visitor }) => ({ visitor }));
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.addresses()[0]!;
  // A real request: `inject` sends only the path of an address.
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get({ host: '127.0.0.1', port, path, agent: false }, resolve).on('error', reject),
  );
  expect(JSON.parse(await text(response))).toEqual({ visitor: [{ name: '127.0.0.1', share: 1 }] });
  await server.close();
});

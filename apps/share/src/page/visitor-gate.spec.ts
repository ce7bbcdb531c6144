import { HttpAdapterHost } from '@nestjs/core';
import fastify from 'fastify';
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
  for (const release of held) release();
  expect(new Set(await Promise.all(visits))).toEqual(new Set([200]));
  const again = visit('192.0.2.1');
  while (held.length === VISITORS_MAX / 2) await new Promise(setImmediate);
  held.at(-1)!();
  expect(await again).toBe(200);
  await server.close();
});

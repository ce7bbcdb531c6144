import { testCa } from '@tire/test-harness';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { endOfCertificate, httpsTls, natsTls, postgresTls } from './certificates';

const DAY_S = 86_400;
const servers: Server[] = [];

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** A server that begins TLS after some words in the clear, as Postgres and NATS do. */
async function upgrading(before: (socket: Socket) => Promise<void>, validDays: number): Promise<number> {
  const { cert, key } = await testCa(validDays);
  return portOf(
    createServer((socket) => {
      socket.on('error', () => undefined);
      void before(socket).then(() => new TLSSocket(socket, { isServer: true, cert, key }).on('error', () => undefined));
    }),
  );
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const daysLeft = (end: number | undefined): number => Math.round((end! - Date.now() / 1_000) / DAY_S);

describe('the end of a certificate', () => {
  it('of an https server', async () => {
    const { cert, key } = await testCa(9);
    const port = await portOf(createTlsServer({ cert, key }));
    const [server] = httpsTls(`https://127.0.0.1:${port}/bucket`);
    expect(daysLeft(await endOfCertificate(server!))).toBe(9);
  });

  it('of Postgres, which is asked for TLS first', async () => {
    const port = await upgrading(async (socket) => {
      const [request] = (await once(socket, 'data')) as [Buffer];
      expect(request).toEqual(Buffer.from('0000000804d2162f', 'hex'));
      socket.write('S');
    }, 5);
    const [server] = postgresTls(`postgres://a:b@127.0.0.1:${port}/c?sslmode=verify-full`);
    expect(daysLeft(await endOfCertificate(server!))).toBe(5);
  });

  it('of NATS, which says first whether it has TLS', async () => {
    const port = await upgrading(async (socket) => void socket.write('INFO {"server_id":"x","tls_required":true} \r\n'), 7);
    const [server] = natsTls([`127.0.0.1:${port}`]);
    expect(daysLeft(await endOfCertificate(server!))).toBe(7);
  });

  it.each([
    ['a Postgres that refuses TLS', 'N', (port: number) => postgresTls(`postgres://127.0.0.1:${port}/c?sslmode=no-verify`)],
    ['a NATS without TLS', 'INFO {"server_id":"x"} \r\n', (port: number) => natsTls([`127.0.0.1:${port}`])],
  ])('is unknown for %s', async (_, words, serversOf) => {
    const port = await portOf(createServer((socket) => void socket.on('error', () => undefined).write(words)));
    await expect(endOfCertificate(serversOf(port)[0]!)).resolves.toBeUndefined();
  });

  it('is unknown where nothing listens', async () => {
    const port = await portOf(createServer());
    await new Promise((resolve) => servers.pop()!.close(resolve));
    await expect(endOfCertificate({ host: '127.0.0.1', port })).rejects.toThrow('ECONNREFUSED');
  });
});

it.each([
  ['postgres://a/b', []],
  ['postgres://a/b?sslmode=disable', []],
  ['postgres://a/b?sslmode=verify-full', [{ host: 'a', port: 5_432 }]],
  ['postgres://[::1]:5433/b?ssl=true', [{ host: '::1', port: 5_433 }]],
])('TLS of %s', (url, expected) => {
  expect(postgresTls(url).map(({ host, port }) => ({ host, port }))).toEqual(expected);
});

it('an address without TLS has no certificate', () => {
  expect(httpsTls('http://s3.example')).toEqual([]);
  expect(httpsTls('https://s3.example')).toEqual([{ host: 's3.example', port: 443 }]);
});

import { eventually, startNameServer, tempDir, testCa } from '@tire/test-harness';
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import os, { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { FORBIDDEN_V4, FORBIDDEN_V6, SPELLINGS } from './hostile-addresses.fixture';
import { createOutbound, type Outbound } from './outbound';
import { OutboundError } from './outbound-error';

/** Formally public addresses that are not assigned: requests to them fail and affect no host. */
const NOWHERE_V6 = '2e00::1';
const NOWHERE_V4 = '126.255.255.254';

const LIMITS = { maxRedirects: 3, timeoutMs: 100_000, maxBytes: 1_000, keepFor: 'somebody' };
const kinds = [...Object.entries(FORBIDDEN_V4), ...Object.entries(FORBIDDEN_V6)];
const host = (ip: string): string => (ip.includes(':') ? `[${ip}]` : ip);

const listen = (server: Server | HttpsServer, address: string): Promise<number> =>
  new Promise((resolve) => server.listen(0, address, () => resolve((server.address() as AddressInfo).port)));

const own = (): string[] => Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));

/**
 * A listener on every address of this machine counts connections. Its port is an allowed port, so that only the check of the address
 * protects it. Attempts to connect to any address are counted too, because most of these addresses do not belong to this machine.
 */
describe('hostile addresses', () => {
  let connections = 0;
  let attempts = 0;
  /** Only attempts of this suite count: a client of an earlier suite may still try to reconnect in the same process. */
  const ofThisSuite = new AsyncLocalStorage<true>();
  const attemptCounter = createHook({
    init: (_id, type) => void (attempts += type === 'TCPCONNECTWRAP' && ofThisSuite.getStore() ? 1 : 0),
  });
  let port: number;
  let hops: string;
  let outbound: Outbound;
  let names: Awaited<ReturnType<typeof startNameServer>>;
  const meanings = new Map<string, (count: number) => { addresses: readonly string[]; alias?: string }>();
  const listener = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  let hopper: HttpsServer;

  beforeAll(async () => {
    const { ca, cert, key } = await testCa();
    const extraCaFile = join(await tempDir(), 'ca.pem');
    await writeFile(extraCaFile, ca);
    port = await listen(listener, '::');
    // /3?https://… leads there by three hops.
    hopper = createServer({ cert, key }, (request, response) => {
      const [, left, target] = /^\/(\d)\?(.*)$/.exec(request.url!)!;
      const location = left === '1' ? decodeURIComponent(target!) : `/${Number(left) - 1}?${target}`;
      response.writeHead(302, { location }).end();
    });
    hops = `https://127.0.0.1:${await listen(hopper, '127.0.0.1')}`;
    names = await startNameServer((name, _type, count) => meanings.get(name)?.(count) ?? null);
    outbound = createOutbound({ allowedOrigins: [hops], extraCaFile, ports: [port], dnsServers: [names.address] });
    attemptCounter.enable();
  });

  beforeEach(() => {
    connections = 0;
    attempts = 0;
    meanings.clear();
  });

  afterAll(async () => {
    attemptCounter.disable();
    hopper.closeAllConnections();
    await Promise.all([listener, hopper].map((server) => new Promise((resolve) => server.close(resolve))));
    await names.stop();
  });

  const reasonOf = (url: string, timeoutMs = LIMITS.timeoutMs): Promise<string> =>
    ofThisSuite
      .run(true, () => outbound.request(url, { ...LIMITS, timeoutMs }))
      .then(
        ({ status }) => `answered ${status}`,
        (error: unknown) => (error instanceof OutboundError ? error.reason : String(error)),
      );

  /** Only the hops themselves get connections. */
  const expectRefused = async (urls: readonly string[], reasons: readonly string[] = ['forbidden'], hopsMade = 0) => {
    const given = await Promise.all(urls.map(async (url) => [url, await reasonOf(url)] as const));
    expect(given.filter(([, reason]) => !reasons.includes(reason))).toEqual([]);
    expect({ connections, attempts }).toEqual({ connections: 0, attempts: hopsMade });
    return urls.length;
  };

  const knock = async (ip: string): Promise<void> => {
    const socket = ofThisSuite.run(true, () => connect(port, ip));
    await once(socket, 'close');
  };

  it('the counter detects a connection to any address of this machine', async () => {
    const addresses = ['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.254', '0.0.0.0', '::1', '::ffff:127.0.0.1', ...own()];
    const reachable = addresses.filter((ip) => !ip.startsWith('fe80'));
    await Promise.all(reachable.map(knock));
    expect({ connections, attempts }).toEqual({ connections: reachable.length, attempts: reachable.length });
  });

  it('the counter detects a client that checks the first DNS answer and connects to the second', async () => {
    meanings.set('rebound.example', (count) => ({ addresses: [count === 1 ? NOWHERE_V4 : '127.0.0.1'] }));
    const resolver = new Resolver();
    resolver.setServers([names.address]);
    expect(await resolver.resolve4('rebound.example')).toEqual([NOWHERE_V4]);
    const [address] = await resolver.resolve4('rebound.example');
    await knock(address!);
    expect(connections).toBe(1);
  });

  it.each(Object.keys(SPELLINGS))('an IPv4 address of each kind, written %s, is refused', async (spelling) => {
    const urls = Object.values(FORBIDDEN_V4).map((ip) => `https://${SPELLINGS[spelling]!(ip)}:${port}/a.jpg`);
    expect(await expectRefused(urls, ['forbidden', 'bad_url'])).toBe(18);
  });

  it('an IPv6 address of each kind is refused, in every way to write it', async () => {
    const urls = Object.values(FORBIDDEN_V6).flatMap((ip) => [`[${ip}]`, `[${ip.toUpperCase()}]`, `[${ip}%25lo]`]);
    await expectRefused(
      urls.map((each) => `https://${each}:${port}/a.jpg`),
      ['forbidden', 'bad_url'],
    );
  });

  it('the addresses of this machine are refused, including public ones', async () => {
    jest.spyOn(os, 'networkInterfaces').mockReturnValue({
      public0: [NOWHERE_V4, NOWHERE_V6].map((address) => ({ address }) as os.NetworkInterfaceInfo),
    });
    meanings.set('self.example', () => ({ addresses: [NOWHERE_V4] }));
    try {
      await expectRefused([NOWHERE_V4, NOWHERE_V6, 'self.example', '0x7efffffe'].map((ip) => `https://${host(ip)}:${port}/`));
    } finally {
      jest.restoreAllMocks();
    }
    await expectRefused(own().map((ip) => `https://${host(ip)}:${port}/`));
  });

  it('the networks that the operator configured are refused, and adjacent addresses are not', async () => {
    const [v4, v6] = [NOWHERE_V4, NOWHERE_V6].map((address, index) => ({ address, prefixBits: index ? 96 : 31 }));
    const named = createOutbound({ ports: [port], forbiddenRanges: [v4!, v6!] });
    const reason = (ip: string) =>
      ofThisSuite
        .run(true, () => named.request(`https://${host(ip)}:${port}/`, { ...LIMITS, timeoutMs: 1_000 }))
        .catch((error) => error.reason);
    for (const ip of ['126.255.255.254', '126.255.255.255', '2e00::1', '2e00::ffff:ffff']) expect(await reason(ip)).toBe('forbidden');
    expect(attempts).toBe(0);
    for (const ip of ['126.255.255.253', '2e00::1:0:0:1']) expect(await reason(ip)).toMatch(/timeout|unreachable/);
    expect(attempts).toBe(2);
  });

  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'ｌｏｃａｌｈｏｓｔ',
    'local%68ost',
    'user@localhost',
    'localhost\\@1.1.1.1',
  ])('the name %s is refused regardless of the answer of a name server', async (name) => {
    meanings.set(name.toLowerCase(), () => ({ addresses: [NOWHERE_V6] }));
    await expectRefused([`https://${name}:${port}/`], ['forbidden', 'bad_url']);
  });

  it.each(kinds)('a name that resolves to an address of %s is refused: %s, alone or beside good ones, in any order', async (_, ip) => {
    const lists = [[ip], [ip, NOWHERE_V4, NOWHERE_V6], [NOWHERE_V4, NOWHERE_V6, ip], [NOWHERE_V6, ip, NOWHERE_V4]];
    lists.forEach((addresses, index) => meanings.set(`n${index}.example`, () => ({ addresses })));
    meanings.set('alias.example', () => ({ addresses: [ip], alias: 'internal.example' }));
    await expectRefused([...lists.map((_list, index) => `n${index}`), 'alias'].map((name) => `https://${name}.example:${port}/`));
  });

  it('a name whose second DNS answer would be a forbidden address of any kind is resolved only once', async () => {
    const rebound = kinds.map(([, ip], index) => {
      const name = `rebound-${index}.example`;
      meanings.set(name, (count) => ({ addresses: [count === 1 ? NOWHERE_V6 : ip] }));
      return name;
    });
    const reasons = await Promise.all(rebound.map((name) => reasonOf(`https://${name}:${port}/`, 5_000)));
    expect(reasons.filter((reason) => reason !== 'unreachable' && reason !== 'timeout')).toEqual([]);
    expect(connections).toBe(0);
    // A query may be under way when the request has ended.
    await eventually(() => rebound.every((name) => names.timesRequested(name, 'A') + names.timesRequested(name, 'AAAA') >= 2));
    for (const name of rebound) expect([names.timesRequested(name, 'A'), names.timesRequested(name, 'AAAA')]).toEqual([1, 1]);
  });

  it.each(kinds)('redirects by one, two and three hops to %s (%s) are refused', async (_, ip) => {
    meanings.set('inside.example', () => ({ addresses: [ip] }));
    const targets = [`https://${host(ip)}:${port}/`, `https://inside.example:${port}/`];
    const urls = targets.flatMap((target) => [1, 2, 3].map((count) => `${hops}/${count}?${encodeURIComponent(target)}`));
    expect(await expectRefused(urls, ['forbidden'], 12)).toBe(6);
  });

  it.each([
    ['another scheme', `http://127.0.0.1/`],
    ['a file', 'file:///etc/passwd'],
    ['a user', 'https://user@[2e00::1]/'],
    ['another port', 'https://[2e00::1]:6379/'],
  ])('a redirect to %s is refused', async (_, target) => {
    await expectRefused(
      [1, 3].map((count) => `${hops}/${count}?${encodeURIComponent(target)}`),
      ['forbidden'],
      4,
    );
  });

  it('a fourth redirect is not followed', async () => {
    expect(await reasonOf(`${hops}/4?${encodeURIComponent(`https://127.0.0.1:${port}/`)}`)).toBe('too_many_redirects');
    expect({ connections, attempts }).toEqual({ connections: 0, attempts: 4 });
  });

  it('a proxy of the environment is not used', async () => {
    const before = { ...process.env };
    const proxy = `http://127.0.0.1:${port}`;
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) process.env[name] = proxy;
    try {
      await reasonOf(`https://[${NOWHERE_V6}]:${port}/`, 300);
      expect(connections).toBe(0);
    } finally {
      process.env = before;
    }
  });
});

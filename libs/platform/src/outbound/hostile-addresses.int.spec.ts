import { startNameServer, tempDir, testCa } from '@tire/test-harness';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createOutbound, type Outbound } from './outbound';
import { OutboundError } from './outbound-error';

/** One of each kind that must never be reached. */
const FORBIDDEN_V4: Readonly<Record<string, string>> = {
  loopback: '127.0.0.1',
  'the end of loopback': '127.255.255.254',
  unspecified: '0.0.0.0',
  'this network': '0.1.2.3',
  'private 10': '10.0.0.1',
  'private 172': '172.16.0.1',
  'private 192': '192.168.1.1',
  'link-local': '169.254.0.1',
  metadata: '169.254.169.254',
  'carrier-grade NAT': '100.64.0.1',
  "Alibaba's metadata": '100.100.100.200',
  "Azure's platform": '168.63.129.16',
  "Oracle's metadata": '192.0.0.192',
  benchmarks: '198.18.0.1',
  documentation: '192.0.2.1',
  multicast: '224.0.0.1',
  reserved: '240.0.0.1',
  broadcast: '255.255.255.255',
};

const FORBIDDEN_V6: Readonly<Record<string, string>> = {
  loopback: '::1',
  unspecified: '::',
  'unique local': 'fd12:3456::1',
  "Amazon's metadata": 'fd00:ec2::254',
  'link-local': 'fe80::1',
  'site-local': 'fec0::1',
  multicast: 'ff02::1',
  discard: '100::1',
  documentation: '2001:db8::1',
  'segment routing': '5f00::1',
};

const bytesOf = (ip: string): number[] => ip.split('.').map(Number);
const numberOf = (ip: string): number => bytesOf(ip).reduce((sum, byte) => sum * 256 + byte, 0);
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const groupsOf = (ip: string): string => `${hex(Math.floor(numberOf(ip) / 65_536), 4)}:${hex(numberOf(ip) % 65_536, 4)}`;
const invertedGroupsOf = (ip: string): string =>
  groupsOf(
    bytesOf(ip)
      .map((byte) => 255 - byte)
      .join('.'),
  );
const wide = (text: string): string => text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));

/** Everything that some parser somewhere takes for this IPv4 address, or for a way to it. */
const SPELLINGS: Readonly<Record<string, (ip: string) => string>> = {
  plainly: (ip) => ip,
  'with a dot at the end': (ip) => `${ip}.`,
  'as one number': (ip) => String(numberOf(ip)),
  'as one hexadecimal number': (ip) => `0x${hex(numberOf(ip), 8)}`,
  'as one octal number': (ip) => `0${numberOf(ip).toString(8)}`,
  'in hexadecimal bytes': (ip) =>
    bytesOf(ip)
      .map((byte) => `0x${hex(byte, 2)}`)
      .join('.'),
  'in octal bytes': (ip) =>
    bytesOf(ip)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  'in bytes with many zeros': (ip) =>
    bytesOf(ip)
      .map((byte) => byte.toString(8).padStart(9, '0'))
      .join('.'),
  'in bytes of every base': ([...ip]) => mixed(ip.join('')),
  'in two parts': (ip) => `${bytesOf(ip)[0]}.${numberOf(ip) % 16_777_216}`,
  'in three parts': (ip) => `${bytesOf(ip)[0]}.${bytesOf(ip)[1]}.${numberOf(ip) % 65_536}`,
  'in full-width digits': wide,
  'with ideographic dots': (ip) => ip.replaceAll('.', '。'),
  'percent-encoded': (ip) => ip.replace(/\d/g, (digit) => `%3${digit}`),
  'as mapped IPv6': (ip) => `[::ffff:${ip}]`,
  'as mapped IPv6 in groups': (ip) => `[::ffff:${groupsOf(ip)}]`,
  'as mapped IPv6 in full': (ip) => `[0:0:0:0:0:ffff:${groupsOf(ip)}]`,
  'as compatible IPv6': (ip) => `[::${ip}]`,
  'as translated IPv6': (ip) => `[::ffff:0:${groupsOf(ip)}]`,
  'behind NAT64': (ip) => `[64:ff9b::${groupsOf(ip)}]`,
  'behind a local NAT64': (ip) => `[64:ff9b:1::${groupsOf(ip)}]`,
  'behind 6to4': (ip) => `[2002:${groupsOf(ip)}::1]`,
  'as a Teredo client': (ip) => `[2001:0:4136:e378:8000:63bf:${invertedGroupsOf(ip)}]`,
  'as a Teredo server': (ip) => `[2001:0:${groupsOf(ip)}:8000:63bf:3fff:fdd2]`,
  'as ISATAP': (ip) => `[fe80::5efe:${groupsOf(ip)}]`,
};

function mixed(ip: string): string {
  const [a, b, c, d] = bytesOf(ip) as [number, number, number, number];
  return `0x${hex(a, 2)}.0${b.toString(8)}.${c}.0X${hex(d, 4)}`;
}

/** Public by the books and handed out to nobody: whatever goes there ends, and harms nobody. */
const NOWHERE_V6 = '2e00::1';
const NOWHERE_V4 = '126.255.255.254';

const LIMITS = { maxRedirects: 3, timeoutMs: 5_000, maxBytes: 1_000 };
const kinds = [...Object.entries(FORBIDDEN_V4), ...Object.entries(FORBIDDEN_V6)];
const host = (ip: string): string => (ip.includes(':') ? `[${ip}]` : ip);

const listen = (server: Server | HttpsServer, address: string): Promise<number> =>
  new Promise((resolve) => server.listen(0, address, () => resolve((server.address() as AddressInfo).port)));

/**
 * A listener on every address of this machine counts connections. Its port is one of those to which requests may go, so that nothing
 * but the judgement of the address stands before it.
 */
describe('hostile addresses', () => {
  let connections = 0;
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
  });

  beforeEach(() => {
    connections = 0;
    meanings.clear();
  });

  afterAll(async () => {
    hopper.closeAllConnections();
    await Promise.all([listener, hopper].map((server) => new Promise((resolve) => server.close(resolve))));
    await names.stop();
  });

  const reasonOf = (url: string, timeoutMs = LIMITS.timeoutMs): Promise<string> =>
    outbound.request(url, { ...LIMITS, timeoutMs }).then(
      ({ status }) => `answered ${status}`,
      (error: unknown) => (error instanceof OutboundError ? error.reason : String(error)),
    );

  const expectRefused = async (urls: readonly string[], reasons: readonly string[] = ['forbidden']) => {
    const given = await Promise.all(urls.map(async (url) => [url, await reasonOf(url)] as const));
    expect(given.filter(([, reason]) => !reasons.includes(reason))).toEqual([]);
    expect(connections).toBe(0);
    return urls.length;
  };

  it('would be seen: the listener counts who gets through', async () => {
    const through = createOutbound({ allowedOrigins: [`https://127.0.0.1:${port}`] });
    await expect(through.request(`https://127.0.0.1:${port}/`, LIMITS)).rejects.toMatchObject({ reason: 'unreachable' });
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

  it('the addresses of this machine are refused', async () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
    const isPrivate = (ip: string) => !/^(?:[2-3]|(?!10\.|127\.|169\.254|172\.|192\.168)\d+\.)/.test(ip);
    await expectRefused(own.filter(isPrivate).map((ip) => `https://${host(ip)}:${port}/`));
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
  ])('the name %s is refused, whatever a name server says', async (name) => {
    meanings.set(name.toLowerCase(), () => ({ addresses: [NOWHERE_V6] }));
    await expectRefused([`https://${name}:${port}/`], ['forbidden', 'bad_url']);
  });

  it.each(kinds)('a name that means an address of %s is refused: %s, alone, among good ones, before and behind them', async (_, ip) => {
    const lists = [[ip], [ip, NOWHERE_V4, NOWHERE_V6], [NOWHERE_V4, NOWHERE_V6, ip], [NOWHERE_V6, ip, NOWHERE_V4]];
    lists.forEach((addresses, index) => meanings.set(`n${index}.example`, () => ({ addresses })));
    meanings.set('alias.example', () => ({ addresses: [ip], alias: 'internal.example' }));
    await expectRefused([...lists.map((_list, index) => `n${index}`), 'alias'].map((name) => `https://${name}.example:${port}/`));
  });

  it('a name that means something good at the first look and something of any kind at the second is asked once', async () => {
    const rebound = kinds.map(([, ip], index) => {
      const name = `rebound-${index}.example`;
      meanings.set(name, (count) => ({ addresses: [count === 1 ? NOWHERE_V6 : ip] }));
      return name;
    });
    const reasons = await Promise.all(rebound.map((name) => reasonOf(`https://${name}:${port}/`, 500)));
    expect(reasons.filter((reason) => reason !== 'unreachable' && reason !== 'timeout')).toEqual([]);
    expect(connections).toBe(0);
    for (const name of rebound) expect([names.timesAsked(name, 'A'), names.timesAsked(name, 'AAAA')]).toEqual([1, 1]);
  });

  it.each(kinds)('redirects by one, two and three hops to %s (%s) are refused', async (_, ip) => {
    meanings.set('inside.example', () => ({ addresses: [ip] }));
    const targets = [`https://${host(ip)}:${port}/`, `https://inside.example:${port}/`];
    const urls = targets.flatMap((target) => [1, 2, 3].map((count) => `${hops}/${count}?${encodeURIComponent(target)}`));
    expect(await expectRefused(urls)).toBe(6);
  });

  it.each([
    ['another scheme', `http://127.0.0.1/`],
    ['a file', 'file:///etc/passwd'],
    ['a user', 'https://user@[2e00::1]/'],
    ['a port of its own', 'https://[2e00::1]:6379/'],
  ])('a redirect to %s is refused', async (_, target) => {
    await expectRefused([`${hops}/1?${encodeURIComponent(target)}`, `${hops}/3?${encodeURIComponent(target)}`]);
  });

  it('a fourth redirect is not followed', async () => {
    expect(await reasonOf(`${hops}/4?${encodeURIComponent(`https://127.0.0.1:${port}/`)}`)).toBe('too_many_redirects');
    expect(connections).toBe(0);
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

  it('a name server that does not answer ends with the time of the request', async () => {
    const silent = createOutbound({ ports: [port], dnsServers: ['127.0.0.1:9'] });
    const beganMs = performance.now();
    await expect(silent.request('https://slow.example/', { ...LIMITS, timeoutMs: 300 })).rejects.toMatchObject({
      reason: expect.stringMatching(/timeout|unreachable/),
    });
    expect(performance.now() - beganMs).toBeLessThan(2_000);
  });
});

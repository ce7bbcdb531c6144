import { networkOf, readTrustedProxies, senderOf } from './client-address';

const proxies = readTrustedProxies('10.0.0.1, 10.8.0.0/24,fd00::/64')!;

describe('the sender of a request', () => {
  it.each<[string, string | undefined, string | undefined, string]>([
    ['the connection, without a proxy', '203.0.113.9', undefined, '203.0.113.9'],
    ['the connection, if it is no trusted proxy, whatever it claims', '10.0.0.2', '198.51.100.1', '10.0.0.2'],
    ['what a trusted proxy saw', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the same on a socket of both families', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the last entry, because clients write the ones before it', '10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['the entry before the proxies of a chain', '10.0.0.1', '1.1.1.1, 198.51.100.1, 10.8.0.7', '198.51.100.1'],
    ['a trusted proxy without an entry', '10.0.0.1', undefined, '10.0.0.1'],
    ['an address of a trusted IPv6 network', 'fd00::5', '2001:db8::1', '2001:db8::1'],
    ['an entry with a port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['an entry that is no address', '10.0.0.1', '1.1.1.1, unknown', 'unknown'],
    ['nobody, after a disconnect', undefined, '1.1.1.1', 'unknown'],
  ])('is %s', (_, remote, forwarded, expected) => {
    expect(senderOf(remote, forwarded, proxies).address).toBe(expected);
  });

  it('makes claims if the header does not come from a trusted proxy', () => {
    const claims = [
      senderOf('10.0.0.2', '1.1.1.1', proxies),
      senderOf('10.0.0.1', '1.1.1.1', proxies),
      senderOf('10.0.0.1', '2.2.2.2, 1.1.1.1', proxies),
      senderOf('10.0.0.2', undefined, proxies),
    ].map((sender) => sender.claims);
    expect(claims).toEqual([true, false, false, false]);
  });

  it.each(['x', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/a', 'fd00::/129', '10.0.0/8'])('trusts no proxies like %j', (text) => {
    expect(readTrustedProxies(text)).toBeNull();
  });

  it('has the network of 64 bits as its IPv6 address', () => {
    expect([networkOf('2001:db8:1:2:3::4'), networkOf('2001:db8:1:2::9'), networkOf('::ffff:203.0.113.9')]).toEqual([
      '2001:db8:1:2',
      '2001:db8:1:2',
      '203.0.113.9',
    ]);
  });
});

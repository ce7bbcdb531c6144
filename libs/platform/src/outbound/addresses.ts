import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** All ranges outside the public internet, from the special-purpose registries of IANA, and private ranges of clouds. */
const FORBIDDEN_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; a cloud's metadata at 100.100.100.200
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's platform address
  '169.254.0.0/16', // link-local; most clouds' metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; a cloud's metadata at 192.0.0.192
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

/**
 * IPv6 assigns public addresses only in 2000::/3. That excludes loopback, unspecified, link-local, site-local, unique local, multicast, and
 * IPv4 as mapped, compatible, translated and NAT64. The ranges below lie inside 2000::/3.
 */
const GLOBAL_V6 = '2000::/3';
const FORBIDDEN_V6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID, AMT
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: holds an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

const v4 = FORBIDDEN_V4.map((range) => ipaddr.IPv4.parseCIDR(range));
const globalV6 = ipaddr.IPv6.parseCIDR(GLOBAL_V6);
const v6 = FORBIDDEN_V6.map((range) => ipaddr.IPv6.parseCIDR(range));

/** ISATAP under any prefix: a machine with such a tunnel sends to the IPv4 address in the last 32 bits. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => (parts[4]! & ~0x0300) === 0 && parts[5] === 0x5efe;

export type AddressVerdict = 'public' | 'forbidden';

/** Decides by number, not by spelling. Forbids text that is not an address, and IPv4 inside IPv6 in any form. */
export function judgeAddress(ip: string): AddressVerdict {
  switch (isIP(ip)) {
    case 4: {
      const address = ipaddr.IPv4.parse(ip);
      return v4.some((range) => address.match(range)) ? 'forbidden' : 'public';
    }
    case 6: {
      if (ip.includes('%')) return 'forbidden';
      const address = ipaddr.IPv6.parse(ip);
      return !address.match(globalV6) || isIsatap(address) || v6.some((range) => address.match(range)) ? 'forbidden' : 'public';
    }
    default:
      return 'forbidden';
  }
}

/** One address of each kind that must never be reached. */
export const FORBIDDEN_V4: Readonly<Record<string, string>> = {
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

export const FORBIDDEN_V6: Readonly<Record<string, string>> = {
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

/** Spellings that some parser accepts as this IPv4 address, or as a route to it. */
export const SPELLINGS: Readonly<Record<string, (ip: string) => string>> = {
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
  'as ISATAP under a public prefix': (ip) => `[2a00:1450:4001:800::5efe:${groupsOf(ip)}]`,
  'as global ISATAP under a public prefix': (ip) => `[2a00:1450:4001:800:200:5efe:${groupsOf(ip)}]`,
  'behind a good user name': (ip) => `1.1.1.1@${ip}`,
};

function mixed(ip: string): string {
  const [a, b, c, d] = bytesOf(ip) as [number, number, number, number];
  return `0x${hex(a, 2)}.0${b.toString(8)}.${c}.0X${hex(d, 4)}`;
}

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const NAME_ERROR = 3;

export interface NameAnswer {
  readonly addresses: readonly string[];
  /** The canonical name of the addresses, if the queried name is an alias. */
  readonly alias?: string;
}

/** The answer to the n-th query (from 1) for a name and type. Null: the name does not exist. */
export type Names = (name: string, type: 'A' | 'AAAA', count: number) => NameAnswer | null;

const labels = (name: string): Buffer =>
  Buffer.concat([...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]), Buffer.from([0])]);

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const missing = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  const all = tail === undefined ? groups(head) : [...groups(head), ...missing, ...groups(tail)];
  return Buffer.concat(all.map((group) => Buffer.from(group.padStart(4, '0'), 'hex')));
}

function record(owner: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  // TTL 0, so that the next query gets the next answer.
  fixed.writeUInt32BE(0, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([labels(owner), fixed, data]);
}

function question(message: Buffer): { name: string; type: number; end: number } {
  const parts: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    parts.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: parts.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** Only records of the queried type, as from a real server. */
function recordsOf(name: string, type: 'A' | 'AAAA', { addresses, alias }: NameAnswer): Buffer[] {
  const owner = alias ?? name;
  const family = type === 'A' ? 4 : 6;
  const own = addresses.filter((address) => isIP(address) === family).map((address) => record(owner, TYPES[type], bytesOf(address)));
  return alias ? [record(name, TYPES.CNAME, labels(alias)), ...own] : own;
}

/** A name server on loopback whose answers a test defines. */
export async function startNameServer(names: Names) {
  const socket = createSocket('udp4');
  const counts = new Map<string, number>();
  socket.on('message', (message, sender) => {
    const { name, type, end } = question(message);
    const typeName = type === TYPES.AAAA ? 'AAAA' : 'A';
    const count = (counts.get(`${name} ${typeName}`) ?? 0) + 1;
    counts.set(`${name} ${typeName}`, count);
    const answer = names(name, typeName, count);
    const records = answer ? recordsOf(name, typeName, answer) : [];
    const header = Buffer.from(message.subarray(0, 12));
    header.writeUInt16BE(0x8580 | (answer ? 0 : NAME_ERROR), 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, message.subarray(12, end), ...records]), sender.port, sender.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    timesRequested: (name: string, type: 'A' | 'AAAA') => counts.get(`${name} ${type}`) ?? 0,
    stop: () => new Promise<void>((resolve) => socket.close(resolve)),
  };
}

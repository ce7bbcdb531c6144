import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { observe } from './metrics';
import { ATTRIBUTES, METRICS } from './names';

interface TlsServer {
  readonly host: string;
  readonly port: number;
  /** What the protocol says before TLS begins. False: the server has none. */
  begin?(socket: Socket): Promise<boolean>;
}

const ANSWER_MS_MAX = 5_000;
const LOOK_EVERY_MS = 60_000;

/** In seconds since 1970. Undefined without TLS. Whether the certificate is valid decides who uses it; here only its end is read. */
export async function endOfCertificate({ host, port, begin }: TlsServer): Promise<number | undefined> {
  const socket = connect({ host, port });
  const late = setTimeout(() => socket.destroy(new Error('no answer')), ANSWER_MS_MAX);
  try {
    await once(socket, 'connect');
    if (begin && !(await begin(socket))) return undefined;
    const secure = connectTls({ socket, rejectUnauthorized: false, ...(isIP(host) ? {} : { servername: host }) });
    await once(secure, 'secureConnect');
    return Date.parse(secure.getPeerCertificate().valid_to) / 1_000;
  } finally {
    clearTimeout(late);
    socket.on('error', () => undefined).destroy();
  }
}

/** The earliest end of the servers that answer. */
async function earliestEnd(servers: readonly TlsServer[]): Promise<number | undefined> {
  const ends = await Promise.all(servers.map((server) => endOfCertificate(server).catch(() => undefined)));
  const known = ends.filter((end) => end !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Looks once a minute while metrics are read. A server that does not answer keeps what was read before: another alert tells of it. */
export function watchCertificates(kind: string, servers: readonly TlsServer[]): void {
  let end: number | undefined;
  let lookedMs = -Infinity;
  observe(METRICS.certificateEnd, { unit: 's', description: 'When the certificate of a server ends' }, () => {
    if (performance.now() - lookedMs > LOOK_EVERY_MS) {
      lookedMs = performance.now();
      void earliestEnd(servers).then((found) => (end = found ?? end));
    }
    return end === undefined ? [] : [{ value: end, attributes: { [ATTRIBUTES.kind]: kind } }];
  });
}

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const YES = 'S'.charCodeAt(0);
const WITH_TLS = /[?&](sslmode=(?!disable)|ssl=(true|1)\b)/;

/** Nothing for an address without TLS. */
export function postgresTls(url: string): TlsServer[] {
  const { hostname, port } = new URL(url);
  const begin = async (socket: Socket): Promise<boolean> => {
    socket.write(SSL_REQUEST);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer[0] === YES;
  };
  return WITH_TLS.test(url) ? [{ host: plainHost(hostname), port: Number(port || 5_432), begin }] : [];
}

/** The first line of a server of NATS says whether it has TLS; the client then uses it. */
export function natsTls(servers: readonly string[]): TlsServer[] {
  const begin = async (socket: Socket): Promise<boolean> => {
    let line = '';
    while (!line.includes('\n')) line += String(((await once(socket, 'data')) as [Buffer])[0]);
    const info = JSON.parse(line.slice(line.indexOf('{'), line.indexOf('\n'))) as { tls_required?: boolean; tls_available?: boolean };
    return Boolean(info.tls_required ?? info.tls_available);
  };
  return servers.map((server) => {
    const { hostname, port } = new URL(`nats://${server}`);
    return { host: plainHost(hostname), port: Number(port || 4_222), begin };
  });
}

/** Nothing for an address without TLS. */
export function httpsTls(url: string): TlsServer[] {
  const { protocol, hostname, port } = new URL(url);
  return protocol === 'https:' ? [{ host: plainHost(hostname), port: Number(port || 443) }] : [];
}

const plainHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

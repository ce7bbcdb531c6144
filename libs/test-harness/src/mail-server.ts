import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { eventually } from './eventually';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came over the wire: headers and body. */
  readonly raw: string;
  /** The decoded subject. */
  readonly subject: string;
  /** The decoded plain text. */
  readonly text: string;
  readonly isSecure: boolean;
}

interface Faults {
  /** The answer to a receiver or a message. */
  refusal: { readonly at: 'receiver' | 'message'; readonly code: number } | null;
  /** Messages whose connection is cut after all of their data has come, before the answer. */
  cuts: number;
  /** While this promise is pending, no message is answered. */
  silence: Promise<void> | null;
}

type MailServerOptions = Pick<SMTPServerOptions, 'cert' | 'key' | 'secure'> & {
  readonly login?: { readonly user: string; readonly password: string };
  /** Without it any free one. */
  readonly port?: number;
};

/** Without a certificate it offers no TLS. Without a login it asks for none. */
export async function startMailServer({ login, port = 0, ...tls }: MailServerOptions = {}) {
  const received: ReceivedMail[] = [];
  const faults: Faults = { refusal: null, cuts: 0, silence: null };
  const sockets = new Set<Socket>();
  const hasTls = tls.cert !== undefined;
  const server = new SMTPServer({
    ...tls,
    logger: false,
    authOptional: login === undefined,
    closeTimeout: 100,
    disabledCommands: [...(hasTls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.password ? done(null, { user: username }) : done(failure(535)),
    onRcptTo: (_address, _session, done) => done(faults.refusal?.at === 'receiver' ? failure(faults.refusal.code) : null),
    onData: (stream, session, done) => {
      void take(stream, session).then(
        () => done(null),
        (error: unknown) => done(error as Error),
      );
    },
  });
  const take = async (stream: Readable, session: SMTPServerSession): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    if (faults.cuts > 0) {
      faults.cuts -= 1;
      for (const socket of sockets) socket.destroy();
      return;
    }
    await faults.silence;
    if (faults.refusal?.at === 'message') throw failure(faults.refusal.code);
    const { mailFrom, rcptTo } = session.envelope;
    received.push({
      from: mailFrom ? mailFrom.address : '',
      to: rcptTo.map(({ address }) => address),
      isSecure: session.secure,
      ...read(Buffer.concat(chunks).toString()),
    });
  };
  server.on('error', () => undefined);
  const listening = server.listen(port, '127.0.0.1');
  listening.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await once(listening, 'listening');
  return {
    port: (listening.address() as AddressInfo).port,
    received,
    faults,
    /** The next mails to an address. */
    mailsTo: (address: string, count = 1) => mailsTo(received, address, count),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const mailsTo = (received: readonly ReceivedMail[], address: string, count: number): Promise<readonly ReceivedMail[]> =>
  eventually(
    () => {
      const found = received.filter(({ to }) => to.includes(address));
      return found.length >= count && found;
    },
    { message: `No mail came to ${address}` },
  );

const failure = (responseCode: number): Error => Object.assign(new Error('Not here, kim@shop.example'), { responseCode });

function read(raw: string): Pick<ReceivedMail, 'raw' | 'subject' | 'text'> {
  const at = raw.indexOf('\r\n\r\n');
  const headers = raw.slice(0, at).replaceAll(/\r\n[ \t]+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1] ?? '';
  const body = raw.slice(at + 4);
  const encoding = header('Content-Transfer-Encoding').toLowerCase();
  return { raw, subject: decodedWords(header('Subject')), text: decoded(body, encoding).replaceAll('\r\n', '\n') };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  return bytesOf(body.replaceAll(/=\r\n/g, ''));
}

const bytesOf = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

/** RFC 2047. */
const decodedWords = (header: string): string =>
  header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/(?:=\?utf-8\?[bq]\?[^?]*\?=)+/gi, (words) =>
      [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)]
        .map(([, kind, text]) =>
          kind!.toLowerCase() === 'b' ? Buffer.from(text!, 'base64').toString() : bytesOf(text!.replaceAll('_', ' ')),
        )
        .join(''),
    );

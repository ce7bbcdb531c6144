import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction, type Socket, type TcpSocketConnectOpts } from 'node:net';
import type { ConnectionOptions, SecureContext } from 'node:tls';
import { type BeyondMaxBytes, type BodyTaker, handBody, readBody } from './body';
import { type IdleConnections, poolKey } from './idle-connections';
import { OutboundError } from './outbound-error';
import type { Target } from './target';

export interface ExchangeOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly maxBytes: number;
  readonly beyondMaxBytes: BeyondMaxBytes;
  readonly take?: BodyTaker;
  /** Without an agent the connection is made for this request and ends with it. */
  readonly reuse?: { readonly connections: IdleConnections; readonly owner: string };
  readonly trust: SecureContext;
  readonly signal: AbortSignal;
  readonly onConnected?: () => void;
}

export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const HEADER_BYTES_MAX = 16 * 1024;
/** The limit of informational responses such as early hints: each has headers, and a host could send them until the timeout. */
const INTERIM_ANSWERS_MAX = 10;
/** The time for each address of a name except the last. Node's default of 250 ms is too short for a host on another continent. */
const ADDRESS_TRY_MS = 1_500;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number): boolean => REDIRECTS.has(status);

/** The connection uses the checked addresses. The name is not resolved again. */
const pinned =
  ({ addresses }: Target): LookupFunction =>
  (_hostname, options, callback) => {
    if (options.all) return callback(null, [...addresses]);
    callback(null, addresses[0]!.address, addresses[0]!.family);
  };

/** Socket options that the types of https do not declare. */
type SocketOptions = Pick<ConnectionOptions, 'secureContext'> & Pick<TcpSocketConnectOpts, 'autoSelectFamilyAttemptTimeout'>;

function requestOptions(target: Target, options: ExchangeOptions): RequestOptions & SocketOptions & { poolKey?: string } {
  const { url } = target;
  const reuse = url.protocol === 'https:' ? options.reuse : undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    protocol: url.protocol,
    host,
    port: url.port || undefined,
    path: `${url.pathname}${url.search}`,
    method: options.method,
    headers: { 'accept-encoding': 'identity', ...options.headers, host: url.host },
    // Never the global agent, so that no proxy of the environment is used.
    agent: reuse?.connections ?? false,
    poolKey: reuse && poolKey(reuse.owner, target),
    lookup: pinned(target),
    servername: isIP(host) ? undefined : host,
    secureContext: options.trust,
    autoSelectFamilyAttemptTimeout: ADDRESS_TRY_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    signal: options.signal,
  };
}

async function bodyOf(response: IncomingMessage, { maxBytes, beyondMaxBytes, take }: ExchangeOptions): Promise<Buffer> {
  const status = response.statusCode ?? 0;
  const nothing = Buffer.alloc(0);
  if (isRedirect(status) && response.headers.location) return nothing;
  if (!take) return readBody(response, maxBytes, beyondMaxBytes);
  if (status >= 200 && status <= 299) await handBody(response, maxBytes, take);
  return nothing;
}

/** Runs before anything is sent, also on a reused connection. */
function judgeConnection(request: ClientRequest, socket: Socket, target: Target, onConnected: () => void): void {
  // The remote address is missing if the other side closed the connection at once.
  const { remoteAddress } = socket;
  if (remoteAddress === undefined) request.destroy(new Error('The connection was closed'));
  else if (!target.accepts(remoteAddress)) request.destroy(new OutboundError('forbidden', 'The address is not public'));
  else if (target.url.protocol === 'https:' && !request.reusedSocket) socket.once('secureConnect', onConnected);
  else onConnected();
}

function answerTo(request: ClientRequest, target: Target, onConnected: () => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let interimAnswers = 0;
    request.once('response', resolve);
    request.on('error', reject);
    request.on('information', () => {
      interimAnswers += 1;
      if (interimAnswers > INTERIM_ANSWERS_MAX) request.destroy(new OutboundError('unreachable', 'There were too many interim answers'));
    });
    request.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => judgeConnection(request, socket, target, onConnected));
      else judgeConnection(request, socket, target, onConnected);
    });
  });
}

/** One request and its answer, without redirects. */
export async function exchange(target: Target, options: ExchangeOptions): Promise<Exchange> {
  const send = target.url.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = send(requestOptions(target, options));
  const answered = answerTo(request, target, options.onConnected ?? (() => undefined));
  try {
    request.end(options.body);
    const response = await answered.catch((error: unknown) => {
      // The host closed the connection while it was idle. That is no failure of the host.
      if (request.reusedSocket && !options.signal.aborted && !(error instanceof OutboundError)) return undefined;
      throw error;
    });
    if (!response) return await exchange(target, { ...options, reuse: undefined });
    return { status: response.statusCode ?? 0, headers: response.headers, body: await bodyOf(response, options) };
  } finally {
    // No effect if the answer was read to its end.
    request.destroy();
  }
}

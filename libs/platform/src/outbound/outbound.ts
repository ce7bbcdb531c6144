import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { loopbackOrigin, type OutboundConfig } from '../config/shapes';
import { type BeyondMaxBytes, type BodyTaker, TakerFailed } from './body';
import { type Exchange, exchange, isRedirect } from './exchange';
import { IdleConnections } from './idle-connections';
import { OutboundError } from './outbound-error';
import { type AddressRange, judgeTarget, parseTarget, type TargetRules } from './target';

export interface OutboundOptions {
  /** Allowed loopback origins, for development. */
  readonly allowedOrigins?: readonly string[];
  /** PEM file of certificate authorities that are trusted in addition to the usual ones. */
  readonly extraCaFile?: string;
  /** Allowed ports beside the default port of the scheme. */
  readonly ports?: readonly number[];
  /** Name servers, as 10.0.0.53 or [2001:db8::53]:5353. Empty: those of the system. */
  readonly dnsServers?: readonly string[];
  /** Public networks that are forbidden nevertheless. */
  readonly forbiddenRanges?: readonly AddressRange[];
}

export interface OutboundRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** 0: a redirect is the answer. Otherwise the maximum number of redirects; each target is checked. */
  readonly maxRedirects: number;
  /** For the whole request: name resolution, connections, redirects and body. */
  readonly timeoutMs: number;
  /** The limit for the received body and for the unpacked body. */
  readonly maxBytes: number;
  /** Default: refuse. Cut: the answer is the beginning of the body, and the rest is not read. */
  readonly beyondMaxBytes?: BeyondMaxBytes;
  /** Consumes the body of a success while it arrives, up to `maxBytes`; the body of the response is empty then. Its errors are not wrapped. */
  readonly take?: BodyTaker;
  /**
   * The owner of idle connections. A later request of the same owner reuses one if the host still resolves to the same addresses. Only for
   * requests that may be sent twice, because the host may have closed an idle connection.
   */
  readonly keepFor?: string;
  /** Called when a connection stands and the request is sent: from then on the host may have taken it. */
  readonly onConnected?: () => void;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The final address, after redirects. */
  readonly url: string;
}

export interface Outbound {
  request(url: string, options: OutboundRequest): Promise<OutboundResponse>;
}

type Message = Pick<OutboundRequest, 'body'> & { method: string; headers: Record<string, string> };

const CREDENTIAL_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Follows the rules of fetch: a POST becomes a GET except on 307 and 308, and credentials stay with their origin. */
function redirected(message: Message, status: number, sameOrigin: boolean): Message {
  const keepsBody = status === 307 || status === 308 || message.method === 'GET' || message.method === 'HEAD';
  const headers = Object.entries(message.headers).filter(
    ([name]) => (sameOrigin || !CREDENTIAL_HEADERS.has(name.toLowerCase())) && (keepsBody || !/^content-/i.test(name)),
  );
  return { ...(keepsBody ? message : { method: 'GET' }), headers: Object.fromEntries(headers) };
}

function asOutboundError(error: unknown, signal: AbortSignal): OutboundError {
  if (signal.aborted) return new OutboundError('timeout', 'There was no whole answer in time', error);
  if (error instanceof OutboundError) return error;
  return new OutboundError('unreachable', 'There was no answer', error);
}

class GuardedOutbound implements Outbound {
  private readonly connections = new IdleConnections();

  constructor(
    private readonly rules: TargetRules,
    private readonly trust: SecureContext,
  ) {}

  async request(text: string, options: OutboundRequest): Promise<OutboundResponse> {
    const signal = AbortSignal.timeout(options.timeoutMs);
    try {
      return await this.follow(parseTarget(text), options, signal);
    } catch (error) {
      if (error instanceof TakerFailed) throw error.cause;
      throw asOutboundError(error, signal);
    }
  }

  private async follow(first: URL, options: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const { maxBytes, beyondMaxBytes = 'refuse', take, keepFor, onConnected } = options;
    const reuse = keepFor === undefined ? undefined : { connections: this.connections, owner: keepFor };
    const common = { maxBytes, beyondMaxBytes, take, reuse, trust: this.trust, signal, onConnected };
    let url = first;
    let message: Message = { method: options.method ?? 'GET', headers: { ...options.headers }, body: options.body };
    for (let redirects = 0; ; redirects += 1) {
      const target = await judgeTarget(url, this.rules, signal);
      signal.throwIfAborted();
      const answer: Exchange = await exchange(target, { ...message, ...common });
      const location = answer.headers.location;
      if (!isRedirect(answer.status) || location === undefined || options.maxRedirects === 0) return { ...answer, url: url.href };
      if (redirects === options.maxRedirects) throw new OutboundError('too_many_redirects', 'There were too many redirects');
      const next = parseTarget(location, url);
      message = redirected(message, answer.status, next.origin === url.origin);
      url = next;
    }
  }
}

/** The only way to send a request to an address that a tenant supplies: the guard against server-side request forgery (SSRF). */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { allowedOrigins = [], extraCaFile, ports = [], dnsServers = [], forbiddenRanges = [] } = options;
  const origins = allowedOrigins.map((origin) => {
    const plain = loopbackOrigin(origin);
    if (!plain) throw new Error(`Only origins of this machine can be allowed, not ${origin}`);
    return plain;
  });
  // Created once. Otherwise each connection would load all certificate authorities again.
  const ca = extraCaFile ? [...rootCertificates, readFileSync(extraCaFile, 'utf8')] : undefined;
  const trust = createSecureContext({ minVersion: 'TLSv1.2', ...(ca ? { ca } : {}) });
  return new GuardedOutbound({ allowedOrigins: new Set(origins), ports: new Set(ports.map(String)), dnsServers, forbiddenRanges }, trust);
}

export const outboundFrom = (config: OutboundConfig): Outbound =>
  createOutbound({
    allowedOrigins: config.OUTBOUND_ALLOWED_ORIGINS,
    extraCaFile: config.OUTBOUND_EXTRA_CA_FILE,
    ports: config.OUTBOUND_PORTS,
    dnsServers: config.OUTBOUND_DNS_SERVERS,
    forbiddenRanges: config.OUTBOUND_FORBIDDEN_RANGES,
  });

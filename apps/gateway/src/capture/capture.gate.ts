import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { LEDGER, networkOf, setActor, setSubject, type PromiseClient } from '@tire/platform';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { LRUCache } from 'lru-cache';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Admission } from '../edge/admission';
import { CAPTURE_PREFIX } from '../edge/api-prefix';
import type { CaptureCaller } from '../edge/callers';
import { Clients } from '../edge/client';
import { CONNECTION_CLOSED, isClosed } from '../edge/closed-connection';
import { take, type Bucket } from '../domain/token-bucket';
import { RateLimiter } from '../edge/rate-limiter';
import { countRefusal } from '../edge/refusals';
import { bearerKey } from '../keys/key-authority';

declare module 'fastify' {
  interface FastifyRequest {
    captureCaller: CaptureCaller | null;
  }
  interface FastifyContextConfig {
    /** A route below /capture/api, which needs a capture link. */
    capture?: true;
  }
}

/** More than one phone sends that takes eight photographs and reads their results every second. */
const OF_LINK = { perSecond: 5, burst: 60 };
/** A workshop has many phones behind one address. A guess of a token has 256 bits to find. */
const OF_ADDRESS = { perSecond: 20, burst: 300 };
/** Tokens that this process has not found before: each is a call to the ledger and a query there. Far more than links are opened. */
const UNKNOWN = { perSecond: 200, burst: 1_000 };
/** Of one address, so that others can open links too. */
const UNKNOWN_OF_ADDRESS = { perSecond: 10, burst: 150 };
const KNOWN_MAX = 10_000;
const TOKEN = /^[\w-]{43}$/;

export const isOfCapture = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url?.startsWith(`${CAPTURE_PREFIX}/`) ?? false;

/** Finds the report of a capture link before the body of a request is read. Whether the link is open, each change asks the ledger. */
@Injectable()
export class CaptureGate implements OnModuleInit {
  private readonly links = new RateLimiter(OF_LINK);
  private readonly addresses = new RateLimiter(OF_ADDRESS);
  private readonly unknownOfAddress = new RateLimiter(UNKNOWN_OF_ADDRESS);
  private unknown: Bucket | undefined;
  /** Tokens that were found. They are looked up each time, so that a replaced link ends at once, but a flood of guesses does not slow them. */
  private readonly known = new LRUCache<string, true>({ max: KNOWN_MAX });

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly clients: Clients,
    private readonly admission: Admission,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.decorateRequest('captureCaller', null);
    fastify.addHook('onRequest', (request, reply, done) => {
      if (!isOfCapture(request)) return done();
      if (this.admission.isOnTime(reply)) this.admit(request, reply).then(() => done(this.awaitBody(request)), done);
    });
  }

  /** After the look-up, because a client can disconnect during it. */
  private awaitBody(request: FastifyRequest): Error | undefined {
    if (isClosed(request)) return CONNECTION_CLOSED;
    const network = () => networkOf(this.clients.addressOf(request));
    return this.admission.awaitBody(request, network) ? undefined : new DomainError('rate_limited');
  }

  /** Null for a token that no link has. A page is shown for it nevertheless, so it is no error here. */
  async find(request: FastifyRequest, token: string): Promise<CaptureCaller | null> {
    const nowMs = this.clock.now().getTime();
    const network = networkOf(this.clients.addressOf(request));
    if (!this.addresses.take(network, nowMs).admitted) throw new DomainError('rate_limited');
    if (!TOKEN.test(token)) return null;
    if (!this.known.get(token) && !this.admitsUnknown(network, nowMs)) {
      countRefusal('unknown_links');
      throw new DomainError('rate_limited');
    }
    const { key } = await this.ledger.findCapture({ token }).catch(nothingFound);
    if (key) this.known.set(token, true);
    else this.known.delete(token);
    return key ? { projectId: key.projectId, reportId: key.reportId, captureDigest: key.tokenDigest } : null;
  }

  private admitsUnknown(network: string, nowMs: number): boolean {
    if (!this.unknownOfAddress.take(network, nowMs).admitted) return false;
    const { admitted, bucket } = take(this.unknown, UNKNOWN, nowMs);
    this.unknown = bucket;
    return admitted;
  }

  private async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('cache-control', 'no-store');
    const token = bearerKey(request.headers.authorization);
    if (token === undefined)
      throw new DomainError('unauthorized', { message: 'The header Authorization is missing, or has another form.' });
    const caller = await this.find(request, token);
    if (!caller) throw new DomainError('not_found');
    if (!this.links.take(caller.reportId, this.clock.now().getTime()).admitted) throw new DomainError('rate_limited');
    request.captureCaller = caller;
    setActor('service:capture');
    setSubject({ projectId: caller.projectId, reportId: caller.reportId });
  }
}

function nothingFound(error: unknown): ledgerApi.FindCaptureResponse {
  if (error instanceof DomainError && error.code === 'not_found') return { key: undefined };
  throw error;
}

import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { errorAnswer, METRICS, observe } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE } from './response';
import type { Taking } from '../domain/token-bucket';
import { EventLoop } from './event-loop';
import { RateLimiter } from './rate-limiter';
import { countRefusal } from './refusals';
import { ADMISSION_RULES } from '../tokens';

export interface AdmissionRules {
  /** Per key; perSecond 0: no limit. */
  readonly perSecond: number;
  readonly burst: number;
  readonly inFlightMax: number;
  /** 0: no limit. */
  readonly loopLagMsMax: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Counted as in flight. */
    inFlight: boolean;
  }
}

const REFUSED = JSON.stringify(errorAnswer(new DomainError('rate_limited')).body);
/** Clients add their own backoff. */
const RETRY_AFTER_SECONDS = '1';
const TEMPORARY = [429, 503];

/**
 * Decides before the body is read whether a request is admitted: a limited number at the same time, none while the event loop is late,
 * and for each key as many as its rate allows. An admitted request is always finished.
 */
@Injectable()
export class Admission implements OnModuleInit, OnApplicationShutdown {
  private readonly limiter: RateLimiter | null;
  private readonly eventLoop: EventLoop;
  private inFlight = 0;

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(ADMISSION_RULES) private readonly rules: AdmissionRules,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.limiter = rules.perSecond > 0 ? new RateLimiter(rules) : null;
    this.eventLoop = new EventLoop(rules.loopLagMsMax);
  }

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.decorateRequest('inFlight', false);
    fastify.addHook('onSend', (request, reply, payload, done) => {
      this.leave(request);
      // 503 and 429 of other services come without this header.
      if (TEMPORARY.includes(reply.statusCode) && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_SECONDS);
      done(null, payload);
    });
    this.eventLoop.watch();
    observe(METRICS.requestsInFlight, { description: 'Requests that are being answered' }, () => [{ value: this.inFlight }]);
  }

  onApplicationShutdown(): void {
    this.eventLoop.stop();
  }

  /** Counts one more request in flight; false if it was refused, and the response is sent. */
  enter(request: FastifyRequest, reply: FastifyReply): boolean {
    const full = this.inFlight >= this.rules.inFlightMax;
    if (full || this.eventLoop.congested) {
      countRefusal(full ? 'in_flight' : 'event_loop');
      refuse(reply, RETRY_AFTER_SECONDS);
      return false;
    }
    request.inFlight = true;
    this.inFlight += 1;
    return true;
  }

  /** Takes one request of the key's rate; false if it was refused, and the response is sent. */
  spend(keyId: string, reply: FastifyReply): boolean {
    if (!this.limiter) return true;
    const taking = this.limiter.take(keyId, this.clock.now().getTime());
    reply.headers(hints(taking));
    if (taking.admitted) return true;
    countRefusal('rate');
    refuse(reply, String(taking.retryAfterSeconds));
    return false;
  }

  /**
   * Called when the response is sent and not when the connection closes: the work for a client that disconnects still counts.
   */
  private leave(request: FastifyRequest): void {
    if (!request.inFlight) return;
    request.inFlight = false;
    this.inFlight -= 1;
  }
}

const hints = ({ remaining, resetSeconds }: Taking) => ({
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(resetSeconds),
});

const refuse = (reply: FastifyReply, retryAfterSeconds: string): void =>
  void reply.code(429).header('retry-after', retryAfterSeconds).type(JSON_TYPE).send(REFUSED);

import { DomainError, type Clock } from '@tire/kernel';
import { errorAnswer, METRICS, observe } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE } from './answer';
import type { Taking } from './domain/token-bucket';
import { EventLoop } from './event-loop';
import { RateLimiter } from './rate-limiter';
import { countRefusal } from './refusals';
import { ADMISSION_RULES, CLOCK } from './tokens';

export interface AdmissionRules {
  /** Of one key; perSecond 0: without limit. */
  readonly perSecond: number;
  readonly burst: number;
  readonly inFlightMax: number;
  /** 0: without limit. */
  readonly loopLagMsMax: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Counted among those in flight. */
    inFlight: boolean;
  }
}

const REFUSED = JSON.stringify(errorAnswer(new DomainError('rate_limited')).body);
/** What passes by itself passes soon; clients add their own backoff. */
const RETRY_AFTER_SECONDS = '1';
const PASSING = [429, 503];

/**
 * Whether a request is taken on at all, decided before its body is read: as many at once as memory and callees can bear, none while
 * the event loop is late, and of each key as many as it may send. What was taken on is never given up for others.
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
      // Refusals of callees and of queues come as errors, without a hint.
      if (PASSING.includes(reply.statusCode) && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_SECONDS);
      done(null, payload);
    });
    this.eventLoop.watch();
    observe(METRICS.requestsInFlight, { description: 'Requests that are being answered' }, () => [{ value: this.inFlight }]);
  }

  onApplicationShutdown(): void {
    this.eventLoop.stop();
  }

  /** Room for one request more; false where it was refused and answered. */
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

  /** One request of this key; false where it was refused and answered. */
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
   * When the answer goes out and not when the connection ends: who sends a request and hangs up leaves its work behind, which would
   * else be uncounted.
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

import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { errorAnswer, METRICS, observe, Places, type Holder } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bodyPlaces } from '../domain/body-places';
import type { Taking } from '../domain/token-bucket';
import type { KeyHolder } from '../keys/key.store';
import { ADMISSION_RULES } from '../tokens';
import { EventLoop } from './event-loop';
import { RateLimiter } from './rate-limiter';
import { countRefusal, type RefusalReason } from './refusals';
import { JSON_TYPE } from './response';

export interface AdmissionRules {
  /** Per key; perSecond 0: no limit. */
  readonly perSecond: number;
  readonly burst: number;
  readonly inFlightMax: number;
  /** 0: no limit. */
  readonly loopLagMsMax: number;
}

/** The places that a request holds until its response is sent. */
interface Visit {
  readonly holders: readonly Holder[];
  /** Places of a body that has not arrived yet. */
  arriving: number;
  /** Whether the request is counted as in flight when its body has arrived. */
  readonly isWork: boolean;
  inFlight: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | null;
  }
}

const REFUSED = JSON.stringify(errorAnswer(new DomainError('rate_limited')).body);
/** Clients add their own backoff. */
const RETRY_AFTER_SECONDS = '1';
const TEMPORARY = [429, 503];
/** A project has twice the rate of a key, however many keys it has. */
const PROJECT_RATE = 2;

/** A key may hold less than its project, and a project less than its organization, so that each leaves room for others. */
export const holdersOf = ({ keyId, projectId, organizationId }: KeyHolder): readonly Holder[] => [
  { name: organizationId, share: 2 },
  { name: projectId, share: 1 },
  { name: keyId, share: 0.5 },
];

/**
 * Decides before the body is read whether a request is admitted: for each key and project as many as its rate allows, a limited number at
 * the same time in fair shares, and none while the event loop is late. A request is in flight when its body has arrived. Until then it
 * holds places of its own, so that slow bodies take nothing from others. An admitted request is always finished.
 */
@Injectable()
export class Admission implements OnModuleInit, OnApplicationShutdown {
  private readonly keyRates: RateLimiter | null;
  private readonly projectRates: RateLimiter;
  private readonly eventLoop: EventLoop;
  private readonly inFlight: Places;
  private readonly arriving: Places;

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(ADMISSION_RULES) rules: AdmissionRules,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    const { perSecond, burst, inFlightMax, loopLagMsMax } = rules;
    this.keyRates = perSecond > 0 ? new RateLimiter({ perSecond, burst }) : null;
    this.projectRates = new RateLimiter({ perSecond: perSecond * PROJECT_RATE, burst: burst * PROJECT_RATE });
    this.eventLoop = new EventLoop(loopLagMsMax);
    this.inFlight = new Places(inFlightMax);
    this.arriving = new Places(inFlightMax);
  }

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.decorateRequest('visit', null);
    fastify.addHook('preValidation', (request, reply, done) => {
      if (this.arrived(request, reply)) done();
    });
    fastify.addHook('onSend', (request, reply, payload, done) => {
      this.leave(request);
      // 503 and 429 of other services come without this header.
      if (TEMPORARY.includes(reply.statusCode) && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER_SECONDS);
      done(null, payload);
    });
    this.eventLoop.watch();
    observe(METRICS.requestsInFlight, { description: 'Requests that are being answered' }, () => [{ value: this.inFlight.inUse }]);
  }

  onApplicationShutdown(): void {
    this.eventLoop.stop();
  }

  /** False while the event loop is late: the request is refused, and the response is sent. */
  isOnTime(reply: FastifyReply): boolean {
    if (!this.eventLoop.congested) return true;
    refuse(reply, 'event_loop');
    return false;
  }

  /** Takes one request of the rates of a key and its project, and a place; false if it was refused, and the response is sent. */
  enter(request: FastifyRequest, reply: FastifyReply, caller: KeyHolder): boolean {
    if (!this.spend(caller, reply)) return false;
    const holders = holdersOf(caller);
    const visit: Visit = { holders, arriving: 0, isWork: true, inFlight: false };
    request.visit = visit;
    const places = bodyPlaces(request.headers, request.routeOptions.bodyLimit);
    if (places === 0) return this.begin(visit, reply);
    const hasRoom = this.inFlight.hasRoom(holders);
    if (hasRoom && this.arriving.take(holders, places)) {
      visit.arriving = places;
      return true;
    }
    refuse(reply, hasRoom ? 'body' : 'share');
    return false;
  }

  /** Takes places for the body of a request without a key; false if there are none. The work of such requests has limits of its own. */
  awaitBody(request: FastifyRequest, holder: () => string): boolean {
    const places = bodyPlaces(request.headers, request.routeOptions.bodyLimit);
    if (places === 0) return true;
    const holders: readonly Holder[] = [{ name: holder(), share: 0.5 }];
    if (!this.arriving.take(holders, places)) {
      countRefusal('body');
      return false;
    }
    request.visit = { holders, arriving: places, isWork: false, inFlight: false };
    return true;
  }

  private arrived({ visit }: FastifyRequest, reply: FastifyReply): boolean {
    if (!visit || visit.arriving === 0) return true;
    this.arriving.leave(visit.holders, visit.arriving);
    visit.arriving = 0;
    return !visit.isWork || this.begin(visit, reply);
  }

  private begin(visit: Visit, reply: FastifyReply): boolean {
    visit.inFlight = this.inFlight.take(visit.holders);
    if (!visit.inFlight) refuse(reply, this.inFlight.free === 0 ? 'in_flight' : 'share');
    return visit.inFlight;
  }

  private spend({ keyId, projectId }: KeyHolder, reply: FastifyReply): boolean {
    if (!this.keyRates) return true;
    const nowMs = this.clock.now().getTime();
    const ofKey = this.keyRates.take(keyId, nowMs);
    const ofProject = ofKey.admitted ? this.projectRates.take(projectId, nowMs) : ofKey;
    if (ofKey.admitted && !ofProject.admitted) this.keyRates.giveBack(keyId);
    const taking = ofProject.remaining < ofKey.remaining ? ofProject : ofKey;
    reply.headers(hints(taking));
    if (ofProject.admitted) return true;
    refuse(reply, ofKey.admitted ? 'project_rate' : 'rate', String(ofProject.retryAfterSeconds));
    return false;
  }

  /**
   * Called when the response is sent and not when the connection closes: the work for a client that disconnects still counts. And when a
   * request begins to wait for what happens.
   */
  leave({ visit }: FastifyRequest): void {
    if (!visit) return;
    if (visit.arriving > 0) this.arriving.leave(visit.holders, visit.arriving);
    if (visit.inFlight) this.inFlight.leave(visit.holders);
    visit.arriving = 0;
    visit.inFlight = false;
  }
}

const hints = ({ remaining, resetSeconds }: Taking) => ({
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(resetSeconds),
});

function refuse(reply: FastifyReply, reason: RefusalReason, retryAfterSeconds = RETRY_AFTER_SECONDS): void {
  countRefusal(reason);
  void reply.code(429).header('retry-after', retryAfterSeconds).type(JSON_TYPE).send(REFUSED);
}

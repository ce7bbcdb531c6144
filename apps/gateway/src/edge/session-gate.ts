import { PERMISSIONS_OF, type Permission } from '@tire/contracts/console';
import { CLOCK, DomainError, isUuid, type Clock } from '@tire/kernel';
import { setActor, Database, networkOf } from '@tire/platform';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { findMembership } from '../identity/members/membership.store';
import { clearedSessionCookie, sessionCookie, sessionToken } from '../identity/sessions/cookie';
import { SessionsService } from '../identity/sessions/sessions.service';
import type { SessionRow } from '../identity/sessions/sessions.store';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { isOfCapture } from '../capture/capture.gate';
import type { AnonymousCaller, SessionCaller } from './callers';
import { CONSOLE_PREFIX } from './api-prefix';
import { Admission } from './admission';
import { Clients, type Client } from './client';
import { CONNECTION_CLOSED, isClosed } from './closed-connection';
import { pathIn, refuseOtherMethod } from './known-paths';
import { RateLimiter } from './rate-limiter';

declare module 'fastify' {
  interface FastifyRequest {
    consoleCaller: AnonymousCaller | SessionCaller | null;
  }
  interface FastifyContextConfig {
    /** The permission that a route below /console/api requires. A route without one is closed. */
    access?: 'everyone' | 'signed_in' | Permission;
  }
}

const NOT_SIGNED_IN = 'You are not signed in.';
/** The rate of one user in one process: more than a person and their page send. */
const ALLOWANCE = { perSecond: 20, burst: 300 };
const READ_METHODS = ['GET', 'HEAD'];

/** Checks requests of the web console before their body is read: their origin, their session, and the permissions of the role. */
@Injectable()
export class SessionGate implements OnModuleInit {
  private readonly limiter = new RateLimiter(ALLOWANCE);

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly database: Database,
    private readonly sessions: SessionsService,
    private readonly clients: Clients,
    private readonly admission: Admission,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.decorateRequest('consoleCaller', null);
    fastify.addHook('onRequest', (request, reply, done) => {
      const isConsole = (request.routeOptions.url ?? pathIn(request.url)).startsWith(`${CONSOLE_PREFIX}/`);
      if (isConsole) {
        const awaitBody = (holder: string) => (isClosed(request) ? CONNECTION_CLOSED : this.awaitBody(request, () => holder));
        return void this.admit(request, reply).then((holder) => done(awaitBody(holder)), done);
      }
      // Requests with a key have places already, and those with a capture link get theirs after its look-up.
      done(request.visit || isOfCapture(request) ? undefined : this.awaitBody(request, () => networkOf(this.clients.addressOf(request))));
    });
  }

  /** Returns who holds the places of the body. They are taken after the last look-up, because a client can disconnect during it. */
  private async admit(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    reply.header('cache-control', 'no-store');
    const isRead = READ_METHODS.includes(request.method);
    if (!isRead && request.headers.origin !== this.settings.origin)
      throw new DomainError('forbidden', { message: 'The request does not come from the console.' });
    // Everyone may read which paths and methods there are.
    if (request.routeOptions.url === undefined) refuseOtherMethod(request, reply);
    const client = this.clients.of(request);
    const { access } = request.routeOptions.config;
    if (access === 'everyone') {
      request.consoleCaller = { client };
      return networkOf(client.address);
    }
    const session = await this.requireSession(request, reply, client);
    setActor(`user:${session.userId}`);
    if (!isRead) requireCsrfToken(request, session);
    if (!this.limiter.take(session.userId, this.clock.now().getTime()).admitted) throw new DomainError('rate_limited');
    const ids = idsOf(request);
    const member = ids && (await findMembership(this.database, session.userId, ids));
    if (access && access !== 'signed_in' && !(member && PERMISSIONS_OF[member.role].includes(access)))
      throw new DomainError('forbidden', { message: 'Your role does not allow this.' });
    // Without a route the response is 404.
    if (!access && request.routeOptions.url !== undefined) throw new DomainError('forbidden');
    const actor = { userId: session.userId, email: session.email, address: client.address };
    request.consoleCaller = { client, session, actor, ...member };
    return session.userId;
  }

  private awaitBody(request: FastifyRequest, holder: () => string): DomainError | undefined {
    return this.admission.awaitBody(request, holder) ? undefined : new DomainError('rate_limited');
  }

  private async requireSession(request: FastifyRequest, reply: FastifyReply, client: Client): Promise<SessionRow> {
    const token = sessionToken(request, this.settings.cookie);
    const found = token === null ? null : await this.sessions.find(token, client);
    if (!found && token !== null) reply.headers(clearedSessionCookie(this.settings.cookie));
    if (found?.session.stage !== 'full') throw new DomainError('unauthorized', { message: NOT_SIGNED_IN });
    if (found.freshToken !== null) reply.headers(sessionCookie(this.settings.cookie, found.freshToken));
    return found.session;
  }
}

function requireCsrfToken({ headers }: FastifyRequest, { csrfToken }: SessionRow): void {
  const given = Buffer.from(String(headers['x-csrf-token'] ?? ''));
  const expected = Buffer.from(csrfToken);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new DomainError('forbidden', { param: 'X-CSRF-Token', message: 'X-CSRF-Token is missing or not that of the session.' });
}

/** The project or the organization that the path names. A value that no id can have names none. */
function idsOf({ params }: FastifyRequest): { organizationId: string } | { projectId: string } | null {
  const { organization_id: organizationId, project_id: projectId } = params as { organization_id?: string; project_id?: string };
  const id = projectId ?? organizationId;
  if (id === undefined) return null;
  if (!isUuid(id)) throw new DomainError('not_found');
  return projectId === undefined ? { organizationId: id } : { projectId: id };
}

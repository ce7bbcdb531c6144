import { PERMISSIONS_OF, type Permission } from '@tire/contracts';
import { DomainError, isUuid, type Clock } from '@tire/kernel';
import { askedBy, Database } from '@tire/platform';
import { createParamDecorator, Inject, Injectable, type ExecutionContext, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { RateLimiter } from '../rate-limiter';
import { CLOCK } from '../tokens';
import { clientOf, type Client } from './client';
import { clearSessionCookie, sessionToken, setSessionCookie } from './cookie';
import { membershipFor, type MembershipFound } from './membership';
import { Sessions } from './sessions.service';
import type { SessionRow } from './sessions.store';
import { CONSOLE_SETTINGS, type ConsoleSettings } from './settings';

export const CONSOLE_API = '/console/api';

type ConsoleAccess = 'everyone' | 'signed_in' | Permission;

/** Who is signed in, from where, and as what in the organization that the address names. */
export interface Visitor {
  readonly client: Client;
  readonly session: SessionRow | null;
  readonly member: MembershipFound | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | null;
  }
  interface FastifyContextConfig {
    console?: ConsoleAccess;
  }
}

/** What a route of the console asks for. One that asks for nothing is closed. */
export const ConsoleAccess = (access: ConsoleAccess) => RouteConfig({ console: access });

const visitorOf = (context: ExecutionContext): Visitor => {
  const { visitor } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!visitor) throw new Error('A route of the console was reached past its door');
  return visitor;
};

export const From = createParamDecorator((_: unknown, context: ExecutionContext): Client => visitorOf(context).client);

const NOT_SIGNED_IN = 'You are not signed in.';
/** Of one user, in one process: more than a person and his page ask. */
const ALLOWANCE = { perSecond: 20, burst: 300 };
const READING = ['GET', 'HEAD'];

/** What is judged before a body is read: where a call comes from, whose it is, and whether his role allows it. */
@Injectable()
export class Door implements OnModuleInit {
  private readonly limiter = new RateLimiter(ALLOWANCE);

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly database: Database,
    private readonly sessions: Sessions,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.decorateRequest('visitor', null);
    fastify.addHook('onRequest', (request, reply, done) => {
      if (!(request.routeOptions.url ?? request.url).startsWith(`${CONSOLE_API}/`)) return done();
      this.admit(request, reply).then(() => done(), done);
    });
  }

  private async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const reading = READING.includes(request.method);
    if (!reading && request.headers.origin !== this.settings.origin)
      throw new DomainError('forbidden', { message: 'The call does not come from the console.' });
    const client = clientOf(request, this.settings.proxyHops);
    const access = request.routeOptions.config.console;
    if (access === 'everyone') return void (request.visitor = { client, session: null, member: null });
    const session = await this.signedIn(request, reply, client);
    askedBy(`user:${session.userId}`);
    if (!reading) requireCsrfToken(request, session);
    if (!this.limiter.take(session.userId, this.clock.now().getTime()).admitted) throw new DomainError('rate_limited');
    const member = await this.database.asSystem((tx) => membershipFor(tx, session.userId, idsOf(request)));
    if (access && access !== 'signed_in' && !(member && PERMISSIONS_OF[member.role].includes(access)))
      throw new DomainError('forbidden', { message: 'Your role does not allow this.' });
    // What has no route says so itself.
    if (!access && request.routeOptions.url !== undefined) throw new DomainError('forbidden');
    request.visitor = { client, session, member };
  }

  private async signedIn(request: FastifyRequest, reply: FastifyReply, client: Client): Promise<SessionRow> {
    const token = sessionToken(request, this.settings.cookie);
    const found = token === null ? null : await this.sessions.find(token, client);
    if (!found && token !== null) clearSessionCookie(reply, this.settings.cookie);
    if (found?.session.stage !== 'full') throw new DomainError('unauthorized', { message: NOT_SIGNED_IN });
    if (found.freshToken !== null) setSessionCookie(reply, this.settings.cookie, found.freshToken);
    return found.session;
  }
}

function requireCsrfToken({ headers }: FastifyRequest, { csrfToken }: SessionRow): void {
  const given = Buffer.from(String(headers['x-csrf-token'] ?? ''));
  const expected = Buffer.from(csrfToken);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new DomainError('forbidden', { param: 'X-CSRF-Token', message: 'X-CSRF-Token is missing or not that of the session.' });
}

/** An id that nothing can have names nothing. */
function idsOf({ params }: FastifyRequest): { organizationId?: string; projectId?: string } {
  const { organization_id: organizationId, project_id: projectId } = params as { organization_id?: string; project_id?: string };
  for (const id of [organizationId, projectId]) if (id !== undefined && !isUuid(id)) throw new DomainError('not_found');
  return { organizationId, projectId };
}

export const SignedIn = createParamDecorator((_: unknown, context: ExecutionContext): SignedInVisitor => {
  const { client, session, member } = visitorOf(context);
  if (!session) throw new Error('A route that needs a session was reached without one');
  return { client, session, member, actor: { userId: session.userId, email: session.email, address: client.address } };
});

export interface SignedInVisitor {
  readonly client: Client;
  readonly session: SessionRow;
  readonly member: MembershipFound | null;
  readonly actor: { readonly userId: string; readonly email: string; readonly address: string };
}

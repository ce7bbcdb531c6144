import { CLOCK, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask, type Tx } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Client } from '../../edge/client';
import {
  findSession,
  listSessions,
  removeExpiredSessions,
  rotateToken,
  startSession,
  touchSession,
  type NewSession,
  type SessionRow,
} from './sessions.store';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../../site/console-settings';

const ROTATE_AFTER_MS = 15 * 60_000;
/** The old token stays valid this long, for requests that the browser sent before it had the new one. */
const REPLACED_FOR_MS = 30_000;
const TOUCH_AFTER_MS = 30_000;
/** The time between the password and the code. */
const CODE_STAGE_MS = 5 * 60_000;
const CLEAN_EVERY_MS = 10 * 60_000;

export interface Found {
  readonly session: SessionRow;
  /** A new token for the cookie. */
  readonly freshToken: string | null;
}

@Injectable()
export class SessionsService implements OnModuleInit, OnApplicationShutdown {
  private readonly cleaning = periodicTask(CLEAN_EVERY_MS, () => this.clean(), logger('console-sessions'));

  constructor(
    private readonly database: Database,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.cleaning.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.cleaning.stop();
  }

  start(tx: Tx, session: NewSession): Promise<{ sessionId: string; token: string }> {
    const now = this.clock.now();
    const lifetimeMs = session.stage === 'full' ? this.settings.absoluteMs : CODE_STAGE_MS;
    return startSession(tx, { ...session, now, expiresAt: new Date(now.getTime() + lifetimeMs) });
  }

  find(token: string, client: Client): Promise<Found | null> {
    const now = this.clock.now();
    return this.database.asSystem(async (tx) => {
      const session = await findSession(tx, token, new Date(now.getTime() - REPLACED_FOR_MS));
      if (!session || session.expiresAt <= now || session.lastSeenAt <= this.seenAfter(now)) return null;
      const since = (at: Date): number => now.getTime() - at.getTime();
      const hasMoved = session.address !== client.address || session.userAgent !== client.userAgent;
      if (hasMoved || since(session.lastSeenAt) > TOUCH_AFTER_MS) await touchSession(tx, session.sessionId, client, now);
      const due = session.stage === 'full' && !session.replaced && since(session.rotatedAt) > ROTATE_AFTER_MS;
      return { session, freshToken: due ? await rotateToken(tx, token, now) : null };
    });
  }

  /** Does not count as use of the session and does not replace its token. */
  async findByToken(token: string): Promise<{ userId: string; sessionId: string } | null> {
    const replacedAfter = new Date(this.clock.now().getTime() - REPLACED_FOR_MS);
    const session = await this.database.asSystem((tx) => findSession(tx, token, replacedAfter));
    return session && { userId: session.userId, sessionId: session.sessionId };
  }

  list(userId: string): Promise<SessionRow[]> {
    const now = this.clock.now();
    return this.database.asSystem((tx) => listSessions(tx, userId, now, this.seenAfter(now)));
  }

  idleEnd({ expiresAt }: SessionRow): Date {
    return new Date(Math.min(expiresAt.getTime(), this.clock.now().getTime() + this.settings.idleMs));
  }

  private seenAfter(now: Date): Date {
    return new Date(now.getTime() - this.settings.idleMs);
  }

  private clean(): Promise<unknown> {
    const now = this.clock.now();
    return this.database.asSystem((tx) => removeExpiredSessions(tx, now, this.seenAfter(now)));
  }
}

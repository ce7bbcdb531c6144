import type { Clock } from '@tire/kernel';
import { Database, logger, Repeating } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../tokens';
import type { Client } from './client';
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
import { CONSOLE_SETTINGS, type ConsoleSettings } from './settings';

const ROTATE_AFTER_MS = 15 * 60_000;
/** Requests that a browser sent before it had the new token. */
const REPLACED_FOR_MS = 30_000;
const TOUCH_AFTER_MS = 30_000;
/** From the password to the code. */
const CODE_STAGE_MS = 5 * 60_000;
const CLEAN_EVERY_MS = 10 * 60_000;

export interface Found {
  readonly session: SessionRow;
  /** To be set in the browser. */
  readonly freshToken: string | null;
}

@Injectable()
export class Sessions implements OnModuleInit, OnApplicationShutdown {
  private readonly cleaning = new Repeating(CLEAN_EVERY_MS, () => this.clean(), logger('console-sessions'));

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

  start(tx: EntityManager, session: NewSession): Promise<{ sessionId: string; token: string }> {
    const now = this.clock.now();
    const lastsMs = session.stage === 'full' ? this.settings.absoluteMs : CODE_STAGE_MS;
    return startSession(tx, { ...session, now, expiresAt: new Date(now.getTime() + lastsMs) });
  }

  find(token: string, client: Client): Promise<Found | null> {
    const now = this.clock.now();
    return this.database.asSystem(async (tx) => {
      const session = await findSession(tx, token, new Date(now.getTime() - REPLACED_FOR_MS));
      if (!session || session.expiresAt <= now || session.lastSeenAt <= this.seenAfter(now)) return null;
      const since = (at: Date): number => now.getTime() - at.getTime();
      const moved = session.address !== client.address || session.userAgent !== client.userAgent;
      if (moved || since(session.lastSeenAt) > TOUCH_AFTER_MS) await touchSession(tx, session.sessionId, client, now);
      const due = session.stage === 'full' && !session.replaced && since(session.rotatedAt) > ROTATE_AFTER_MS;
      return { session, freshToken: due ? await rotateToken(tx, token, now) : null };
    });
  }

  /** Asking changes nothing: neither is the session used by it, nor its token replaced. */
  async heldBy(token: string): Promise<{ userId: string; sessionId: string } | null> {
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

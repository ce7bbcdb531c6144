import { CLOCK, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask, type Tx } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Client } from '../../edge/client';
import { AccountMails } from '../accounts/account-mails';
import { newToken } from '../secrets';
import { forgetBrowsers, recognizeBrowser } from './known-browsers.store';

const FORGET_EVERY_MS = 3_600_000;

/**
 * Tells an account that somebody signed in from a browser that it does not know. A browser is known by a cookie of its own and not by its
 * address: telephones change theirs all day, and people stop to read mail that comes every day.
 */
@Injectable()
export class KnownBrowsers implements OnModuleInit, OnApplicationShutdown {
  private readonly forgetting = periodicTask(
    FORGET_EVERY_MS,
    () => forgetBrowsers(this.database, this.clock.now()),
    logger('known-browsers'),
  );

  constructor(
    private readonly database: Database,
    private readonly mails: AccountMails,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.forgetting.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.forgetting.stop();
  }

  /** Returns the token for the cookie; undefined where no mail is sent. */
  async signedIn(
    tx: Tx,
    user: { readonly userId: string; readonly email: string },
    client: Client,
    isNewAccount: boolean,
  ): Promise<string | undefined> {
    if (!this.mails.areSent) return undefined;
    const token = client.browserToken ?? newToken();
    const isKnown = await recognizeBrowser(tx, user.userId, token, this.clock.now());
    if (!isKnown && !isNewAccount) await this.mails.alert(tx, user, 'signed_in', client);
    return token;
  }
}

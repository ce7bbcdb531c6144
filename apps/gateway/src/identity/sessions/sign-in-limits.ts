import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database, logger, Repeating } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Allowance } from '../../domain/token-bucket';
import { deleteFullBuckets, giveBackAttempt, takeAttempt } from './attempts.store';
import { networkOf } from '../../edge/client';

/** Wrong attempts of one client address, and of one client address for one account: an attacker locks out only themselves. */
const PER_ADDRESS = { perSecond: 1 / 10, burst: 60 };
const PER_ACCOUNT_AND_ADDRESS = { perSecond: 1 / 60, burst: 10 };
/** Each password check takes 19 MiB and 16 ms of a core: beyond this number the process refuses. */
const CONCURRENT_MAX = 32;
/** Callbacks of the OpenID Connect provider have limits of their own, because a slow provider must not block passwords. */
const AT_PROVIDER_MAX = 128;
const AT_PROVIDER_PER_ADDRESS = { perSecond: 1 / 2, burst: 30 };
const CLEAN_EVERY_MS = 10 * 60_000;

interface Bucket {
  readonly name: string;
  readonly allowance: Allowance;
}

/** Limits sign-in attempts: wrong ones over all processes, concurrent ones in each process. */
@Injectable()
export class SignInLimits implements OnModuleInit, OnApplicationShutdown {
  private readonly cleaning = new Repeating(
    CLEAN_EVERY_MS,
    () => deleteFullBuckets(this.database, this.clock.now()),
    logger('console-limits'),
  );
  private running = 0;
  private atProvider = 0;

  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.cleaning.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.cleaning.stop();
  }

  /** An attempt counts when it starts, so that concurrent ones all count. A correct attempt, or one that was not checked, is given back. */
  async attempt<T>(account: string, address: string, isRight: (result: T) => boolean, work: () => Promise<T>): Promise<T> {
    const network = networkOf(address);
    const buckets: readonly Bucket[] = [
      { name: network, allowance: PER_ADDRESS },
      { name: `${network} ${account}`, allowance: PER_ACCOUNT_AND_ADDRESS },
    ];
    if (this.running >= CONCURRENT_MAX) throw tooMany();
    this.running += 1;
    try {
      for (const [index, { name, allowance }] of buckets.entries()) {
        if (await takeAttempt(this.database, name, allowance, this.clock.now())) continue;
        await this.giveBack(buckets.slice(0, index));
        throw tooMany();
      }
      const result = await work();
      if (isRight(result)) await this.giveBack(buckets);
      return result;
    } finally {
      this.running -= 1;
    }
  }

  /** A result of null counts as a wrong attempt; an error does not. */
  async providerAttempt<T>(address: string, work: () => Promise<T | null>): Promise<T | null> {
    const name = `${networkOf(address)} provider`;
    if (this.atProvider >= AT_PROVIDER_MAX) throw tooMany();
    this.atProvider += 1;
    let isWrong = false;
    try {
      if (!(await takeAttempt(this.database, name, AT_PROVIDER_PER_ADDRESS, this.clock.now()))) throw tooMany();
      try {
        const result = await work();
        isWrong = result === null;
        return result;
      } finally {
        if (!isWrong) await giveBackAttempt(this.database, name, AT_PROVIDER_PER_ADDRESS);
      }
    } finally {
      this.atProvider -= 1;
    }
  }

  private async giveBack(buckets: readonly Bucket[]): Promise<void> {
    await Promise.all(buckets.map(({ name, allowance }) => giveBackAttempt(this.database, name, allowance)));
  }
}

const tooMany = (): DomainError => new DomainError('rate_limited', { message: 'Too many attempts; try again in a minute.' });

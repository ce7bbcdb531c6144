import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database, logger, networkOf, periodicTask, Places, type Tx } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Allowance } from '../../domain/token-bucket';
import { deleteFullBuckets, forgetNetworks, giveBackAttempt, isKnownNetwork, rememberNetwork, takeAttempt } from './attempts.store';

/** Wrong attempts of one client address, and of one client address for one account. They lock out everybody behind that address. */
const PER_ADDRESS = { perSecond: 1 / 10, burst: 60 };
const PER_ACCOUNT_AND_ADDRESS = { perSecond: 1 / 60, burst: 10 };
/**
 * Wrong attempts for one account from all addresses together, so that many addresses guess no faster than one. An attacker with many
 * addresses can use up this limit, and then no sign-in from an unknown network succeeds. The limit does not apply to a known
 * network: one from which the account completed a sign-in within the last ninety days.
 */
const PER_ACCOUNT = { perSecond: 1 / 36, burst: 100 };
/** Each password check takes 19 MiB and 16 ms of a core. One address gets at most half of the places. */
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
  private readonly cleaning = periodicTask(
    CLEAN_EVERY_MS,
    async () => {
      await deleteFullBuckets(this.database, this.clock.now());
      await forgetNetworks(this.database, this.clock.now());
    },
    logger('console-limits'),
  );
  private readonly running = new Places(CONCURRENT_MAX);
  private readonly atProvider = new Places(AT_PROVIDER_MAX);

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

  /**
   * An attempt counts when it starts, so that concurrent ones all count. A correct attempt, or one that was not checked, is given back.
   * Account null: the attempt is for no account.
   */
  async attempt<T>(account: string | null, address: string, isRight: (result: T) => boolean, work: () => Promise<T>): Promise<T> {
    const network = networkOf(address);
    return this.atOnce(this.running, network, async () => {
      const buckets = await this.bucketsOf(account, network);
      for (const [index, { name, allowance }] of buckets.entries()) {
        if (await takeAttempt(this.database, name, allowance, this.clock.now())) continue;
        await this.giveBack(buckets.slice(0, index));
        throw tooMany();
      }
      const result = await work();
      if (isRight(result)) await this.giveBack(buckets);
      return result;
    });
  }

  /** Remembers that these accounts began a session from the address. The password alone is not enough while one-time codes are on. */
  async rememberNetwork(tx: Tx, accounts: readonly string[], address: string): Promise<void> {
    for (const account of accounts) await rememberNetwork(tx, `${networkOf(address)} ${account}`, this.clock.now());
  }

  /** A result of null counts as a wrong attempt; an error does not. */
  async providerAttempt<T>(address: string, work: () => Promise<T | null>): Promise<T | null> {
    const network = networkOf(address);
    const name = `${network} provider`;
    return this.atOnce(this.atProvider, network, async () => {
      let isWrong = false;
      if (!(await takeAttempt(this.database, name, AT_PROVIDER_PER_ADDRESS, this.clock.now()))) throw tooMany();
      try {
        const result = await work();
        isWrong = result === null;
        return result;
      } finally {
        if (!isWrong) await giveBackAttempt(this.database, name, AT_PROVIDER_PER_ADDRESS);
      }
    });
  }

  private async bucketsOf(account: string | null, network: string): Promise<readonly Bucket[]> {
    const ofNetwork = [
      { name: network, allowance: PER_ADDRESS },
      { name: `${network} ${account ?? 'no account'}`, allowance: PER_ACCOUNT_AND_ADDRESS },
    ];
    if (account === null || (await isKnownNetwork(this.database, `${network} ${account}`, this.clock.now()))) return ofNetwork;
    return [...ofNetwork, { name: `every network ${account}`, allowance: PER_ACCOUNT }];
  }

  private async atOnce<T>(places: Places, network: string, work: () => Promise<T>): Promise<T> {
    const holders = [{ name: network, share: 1 }];
    if (!places.take(holders)) throw tooMany();
    try {
      return await work();
    } finally {
      places.leave(holders);
    }
  }

  private async giveBack(buckets: readonly Bucket[]): Promise<void> {
    await Promise.all(buckets.map(({ name, allowance }) => giveBackAttempt(this.database, name, allowance)));
  }
}

const tooMany = (): DomainError => new DomainError('rate_limited', { message: 'Too many attempts; try again in a minute.' });

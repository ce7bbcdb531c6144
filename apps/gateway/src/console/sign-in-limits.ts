import { DomainError, type Clock } from '@tire/kernel';
import { logger, Repeating } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Allowance } from '../domain/token-bucket';
import { CLOCK } from '../tokens';
import { Attempts } from './attempts';
import { networkOf } from './client';

/** Wrong answers that an address may give, and an address about one account: whoever knows the owner's address locks only himself out. */
const OF_AN_ADDRESS = { perSecond: 1 / 10, burst: 60 };
const OF_AN_ACCOUNT_FROM_AN_ADDRESS = { perSecond: 1 / 60, burst: 10 };
/** Each takes 19 MiB and 16 ms of a core: beyond this the process is better off refusing. */
const AT_ONCE_MAX = 32;
/** Answers of the provider that are asked about: places and attempts of their own, for it may be slow, or away, while passwords are right. */
const AT_PROVIDER_MAX = 128;
const AT_PROVIDER_OF_AN_ADDRESS = { perSecond: 1 / 2, burst: 30 };
const FORGET_EVERY_MS = 10 * 60_000;

interface Bucket {
  readonly name: string;
  readonly allowance: Allowance;
}

/** What is tried at the door, counted for all processes together; how much is tried at once, for each. */
@Injectable()
export class SignInLimits implements OnModuleInit, OnApplicationShutdown {
  private readonly forgetting = new Repeating(FORGET_EVERY_MS, () => this.attempts.forget(this.clock.now()), logger('console-limits'));
  private underWay = 0;
  private atProviderNow = 0;

  constructor(
    private readonly attempts: Attempts,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.forgetting.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.forgetting.stop();
  }

  /** Every attempt counts when it begins, so that many at once are many; what was right, or not even tried, is given back. */
  async attempt<T>(account: string, address: string, isRight: (answer: T) => boolean, work: () => Promise<T>): Promise<T> {
    const network = networkOf(address);
    const buckets: readonly Bucket[] = [
      { name: network, allowance: OF_AN_ADDRESS },
      { name: `${network} ${account}`, allowance: OF_AN_ACCOUNT_FROM_AN_ADDRESS },
    ];
    if (this.underWay >= AT_ONCE_MAX) throw tooMany();
    this.underWay += 1;
    try {
      for (const [index, { name, allowance }] of buckets.entries()) {
        if (await this.attempts.take(name, allowance, this.clock.now())) continue;
        await this.giveBack(buckets.slice(0, index));
        throw tooMany();
      }
      const answer = await work();
      if (isRight(answer)) await this.giveBack(buckets);
      return answer;
    } finally {
      this.underWay -= 1;
    }
  }

  /** Null is a wrong answer, and counts; whatever fails does not. */
  async atProvider<T>(address: string, work: () => Promise<T | null>): Promise<T | null> {
    const name = `${networkOf(address)} provider`;
    if (this.atProviderNow >= AT_PROVIDER_MAX) throw tooMany();
    this.atProviderNow += 1;
    let isWrong = false;
    try {
      if (!(await this.attempts.take(name, AT_PROVIDER_OF_AN_ADDRESS, this.clock.now()))) throw tooMany();
      try {
        const answer = await work();
        isWrong = answer === null;
        return answer;
      } finally {
        if (!isWrong) await this.attempts.giveBack(name, AT_PROVIDER_OF_AN_ADDRESS);
      }
    } finally {
      this.atProviderNow -= 1;
    }
  }

  private async giveBack(buckets: readonly Bucket[]): Promise<void> {
    await Promise.all(buckets.map(({ name, allowance }) => this.attempts.giveBack(name, allowance)));
  }
}

const tooMany = (): DomainError => new DomainError('rate_limited', { message: 'Too many attempts; try again in a minute.' });

import { DomainError, type Clock } from '@tire/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter } from '../rate-limiter';
import { CLOCK } from '../tokens';

/** Wrong answers that an address may give, and an address about one account: whoever knows the owner's address locks only himself out. */
const OF_AN_ADDRESS = { perSecond: 1 / 10, burst: 60 };
const OF_AN_ACCOUNT_FROM_AN_ADDRESS = { perSecond: 1 / 60, burst: 10 };
/** Each takes 19 MiB and 16 ms of a core: beyond this the process is better off refusing. */
const AT_ONCE_MAX = 32;

/** Counts in the memory of this process: several of them allow so much more, which is far from what guessing needs. */
@Injectable()
export class SignInLimits {
  private readonly addresses = new RateLimiter(OF_AN_ADDRESS);
  private readonly accounts = new RateLimiter(OF_AN_ACCOUNT_FROM_AN_ADDRESS);
  private underWay = 0;

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** Every attempt counts when it begins, so that many at once are many; what was right is given back. */
  async attempt<T>(account: string, address: string, isRight: (answer: T) => boolean, work: () => Promise<T>): Promise<T> {
    const pair = `${address} ${account}`;
    const nowMs = this.clock.now().getTime();
    const admitted =
      this.underWay < AT_ONCE_MAX && this.addresses.take(address, nowMs).admitted && this.accounts.take(pair, nowMs).admitted;
    if (!admitted) throw new DomainError('rate_limited', { message: 'Too many attempts; try again in a minute.' });
    this.underWay += 1;
    try {
      const answer = await work();
      if (isRight(answer)) {
        this.addresses.giveBack(address);
        this.accounts.giveBack(pair);
      }
      return answer;
    } finally {
      this.underWay -= 1;
    }
  }
}

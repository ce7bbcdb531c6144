import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Inject, Injectable } from '@nestjs/common';
import type { ProjectCaller } from '../edge/callers';
import { RateLimiter } from '../edge/rate-limiter';

/** An upload address and a registration for each of eight photographs, each taken four times; then one photograph in ten seconds. */
const OF_LINK = { perSecond: 0.2, burst: 64 };

/** What a link may cost its project, in slots: a stolen one must not fill the store or take the turns of the engine. */
@Injectable()
export class CaptureWork {
  private readonly limiter = new RateLimiter(OF_LINK);

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** Callers with a key or a session have limits of their own. */
  spend(caller: ProjectCaller, slots: number): void {
    if (!('captureDigest' in caller)) return;
    const nowMs = this.clock.now().getTime();
    for (let slot = 0; slot < slots; slot += 1)
      if (!this.limiter.take(caller.reportId, nowMs).admitted) throw new DomainError('rate_limited');
  }
}

import type { Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK } from '../tokens';
import { recordDeed, type Deed } from './audit.store';
import type { SignedInVisitor } from './door';

/** For what other services do: it is written down once they did it. */
@Injectable()
export class Audit {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async after<T>({ member, actor }: SignedInVisitor, work: Promise<T>, deed: (answer: T) => Deed): Promise<T> {
    const answer = await work;
    if (!member) throw new Error('Something was done in a project by no member');
    await this.database.asSystem((tx) => recordDeed(tx, member.organizationId, actor, deed(answer), this.clock.now()));
    return answer;
  }
}

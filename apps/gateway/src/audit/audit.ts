import { CLOCK, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { isMember, type ProjectCaller } from '../edge/callers';
import { recordChange, type AuditedChange } from './audit.store';

type ChangeOf<T> = Omit<AuditedChange, 'projectId'> | ((result: T) => Omit<AuditedChange, 'projectId'>);

/** Records what members do in other services, after the other service did it. Requests of API keys are in the request log instead. */
@Injectable()
export class Audit {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async after<T>(caller: ProjectCaller, work: Promise<T>, changeOf: ChangeOf<T>): Promise<T> {
    const result = await work;
    if (!isMember(caller)) return result;
    const { organizationId, actor, projectId } = caller;
    const change = typeof changeOf === 'function' ? changeOf(result) : changeOf;
    await this.database.asSystem((tx) => recordChange(tx, organizationId, actor, { ...change, projectId }, this.clock.now()));
    return result;
  }
}

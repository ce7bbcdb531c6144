import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { SignInService } from '../identity/sessions/sign-in.service';
import { RetentionService } from './retention.service';

@Injectable()
export class RetentionHandlers {
  constructor(
    private readonly retention: RetentionService,
    private readonly signIn: SignInService,
  ) {}

  readonly handlers = {
    getRetention: ({ caller }) => this.retention.of(caller),
    changeRetention: async ({ caller, body: { password, ...choice } }) => {
      if (await this.retention.shortens(caller, choice)) await this.signIn.requirePassword(caller, password ?? '', 'password');
      return this.retention.change(caller, choice);
    },
    listHolds: ({ caller, query }) => this.retention.holds(caller.projectId, query.report_id),
    holdReport: ({ caller, params, body }) => this.retention.hold(caller, params.report_id, body.reason),
    releaseReport: async ({ caller, params: { report_id: reportId }, body }) => {
      const { holds } = await this.retention.holds(caller.projectId, reportId);
      const removes = holds.some((hold) => hold.report_id === reportId && hold.is_discarded);
      if (removes) await this.signIn.requirePassword(caller, body.password ?? '', 'password');
      await this.retention.release(caller, reportId);
    },
  } satisfies Partial<OperationHandlers>;
}

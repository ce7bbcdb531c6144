import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { RetentionService } from './retention.service';

@Injectable()
export class RetentionHandlers {
  constructor(private readonly retention: RetentionService) {}

  readonly handlers = {
    getRetention: ({ caller }) => this.retention.of(caller),
    changeRetention: ({ caller, body }) => this.retention.change(caller, body),
    listHolds: ({ caller, query }) => this.retention.holds(caller.projectId, query.report_id),
    holdReport: ({ caller, params, body }) => this.retention.hold(caller, params.report_id, body.reason),
    releaseReport: ({ caller, params }) => this.retention.release(caller, params.report_id),
  } satisfies Partial<OperationHandlers>;
}

import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { VisitsService } from './visits.service';

@Injectable()
export class VisitHandlers {
  constructor(private readonly visits: VisitsService) {}

  readonly handlers = {
    getVisit: ({ caller, params }) => this.visits.one(caller, params.report_id),
    changeVisit: ({ caller, params, body }) => this.visits.change(caller, params.report_id, body),
    showVisit: ({ caller, params }) => this.visits.show(caller, params.report_id),
    removeVisit: ({ caller, params }) => this.visits.remove(caller, params.report_id),
    searchVisits: ({ caller, body }) => this.visits.search(caller, body.phone),
  } satisfies Partial<OperationHandlers>;
}

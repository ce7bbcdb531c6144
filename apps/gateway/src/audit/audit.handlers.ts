import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { Audit } from './audit';

@Injectable()
export class AuditHandlers {
  constructor(private readonly audit: Audit) {}

  readonly handlers = {
    listAuditLog: ({ caller, query }) => this.audit.list(caller.organizationId, query),
  } satisfies Partial<OperationHandlers>;
}

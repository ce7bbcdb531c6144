import { Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit';
import type { OperationHandlers } from '../edge/operation-handlers';
import { PublicationService } from './publication.service';

@Injectable()
export class PublicationHandlers {
  constructor(
    private readonly publication: PublicationService,
    private readonly audit: Audit,
  ) {}

  readonly handlers = {
    publishReport: ({ caller, params }) => {
      const work = this.publication.publish(caller.projectId, params.report_id);
      return this.audit.after(caller, work, { action: 'report.published', subject: params.report_id });
    },
    getShare: ({ caller, params }) => this.publication.share(caller.projectId, params.report_id),
    reissueShare: ({ caller, params }) => {
      const work = this.publication.reissue(caller.projectId, params.report_id);
      return this.audit.after(caller, work, { action: 'report.share_reissued', subject: params.report_id });
    },
    revokeShare: ({ caller, params }) => {
      const work = this.publication.revoke(caller.projectId, params.report_id);
      return this.audit.after(caller, work, { action: 'report.share_revoked', subject: params.report_id });
    },
  } satisfies Partial<OperationHandlers>;
}

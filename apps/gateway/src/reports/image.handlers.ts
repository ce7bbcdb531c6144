import { Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit';
import { CaptureWork } from '../capture/capture-work';
import { captureDigestOf } from '../edge/callers';
import type { OperationHandlers } from '../edge/operation-handlers';
import { ImagesService } from './images.service';

@Injectable()
export class ImageHandlers {
  constructor(
    private readonly images: ImagesService,
    private readonly audit: Audit,
    private readonly captureWork: CaptureWork,
  ) {}

  readonly handlers = {
    createUploadTargets: ({ caller, params, body }) => {
      this.captureWork.spend(caller, body.slots.length);
      return this.images.createUploadTargets(caller.projectId, params.report_id, body, captureDigestOf(caller));
    },
    registerImages: ({ caller, params, query, body }) => {
      const work = this.images.register(caller.projectId, params.report_id, body, query.replace);
      const details = { replace: String(query.replace) };
      return this.audit.after(caller, work, { action: 'report.images_registered', subject: params.report_id, details });
    },
    registerCaptureImages: ({ caller, body }) => {
      this.captureWork.spend(caller, body.images.length);
      return this.images.registerCaptured(caller, body);
    },
    analyzeSlots: ({ caller, params, body }) => {
      const work = this.images.analyze(caller.projectId, params.report_id, body);
      return this.audit.after(caller, work, { action: 'report.analyzed', subject: params.report_id });
    },
  } satisfies Partial<OperationHandlers>;
}

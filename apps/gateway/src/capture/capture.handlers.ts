import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { CaptureService } from './capture.service';

@Injectable()
export class CaptureHandlers {
  constructor(private readonly captures: CaptureService) {}

  readonly handlers = {
    issueCapture: ({ caller, params, body }) => this.captures.issue(caller, params.report_id, body),
    revokeCapture: ({ caller, params }) => this.captures.revoke(caller, params.report_id),
    getCaptureSettings: ({ caller }) => this.captures.settings(caller.projectId),
    changeCaptureSettings: ({ caller, body }) => this.captures.changeSettings(caller, body),
    getCaptureSession: ({ caller }) => this.captures.session(caller),
    finishCapture: ({ caller }) => this.captures.finish(caller),
  } satisfies Partial<OperationHandlers>;
}

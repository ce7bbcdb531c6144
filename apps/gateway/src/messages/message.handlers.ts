import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { ReportMessages } from './report-messages';
import { TemplatesService } from './templates.service';

@Injectable()
export class MessageHandlers {
  constructor(
    private readonly messages: ReportMessages,
    private readonly templates: TemplatesService,
  ) {}

  readonly handlers = {
    listMessages: ({ caller, params }) => this.messages.list(caller.projectId, params.report_id),
    sendReport: ({ caller, params, body }) => this.messages.send(caller, params.report_id, body),
    listTemplates: ({ caller }) => this.templates.list(caller.projectId),
    changeTemplate: ({ caller, body }) => this.templates.change(caller, body),
    previewTemplate: ({ body }) => this.templates.preview(body),
  } satisfies Partial<OperationHandlers>;
}

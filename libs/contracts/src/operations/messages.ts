import {
  ChangeTemplateRequest,
  MessageDraft,
  MessageList,
  MessagePreview,
  MessageTemplates,
  SendReportRequest,
  SentMessage,
} from '../console/messages';
import type { Operation } from './operation';
import { PROJECT, PROJECT_REPORT } from './paths';

const TEMPLATES = `${PROJECT}/message-templates` as const;

export const MESSAGE_OPERATIONS = {
  listMessages: {
    method: 'get',
    console: { path: `${PROJECT_REPORT}/messages`, access: 'reports.read' },
    summary: 'The messages that the customer of a report got.',
    responses: [{ status: 200, schema: MessageList }],
    errors: ['report_discarded', 'report_purge_pending'],
  },
  sendReport: {
    method: 'post',
    console: { path: `${PROJECT_REPORT}/messages`, access: 'customers.manage' },
    summary: 'Send the link of the share page to the customer by e-mail or text message.',
    description:
      '409 conflict: `param` names what is missing: `channel` (a provider), `share` (an open share page), `consent`, `email`, `phone` (a mobile number), `text` (one that is not too long), or `message` (one waits already). 429: five an hour to one receiver, 300 of a project.',
    body: { schema: SendReportRequest },
    responses: [{ status: 201, schema: SentMessage }],
    errors: ['conflict'],
  },
  listTemplates: {
    method: 'get',
    console: { path: TEMPLATES, access: 'projects.read' },
    summary: 'The texts of messages to customers.',
    responses: [{ status: 200, schema: MessageTemplates }],
  },
  changeTemplate: {
    method: 'patch',
    console: { path: TEMPLATES, access: 'projects.manage' },
    summary: 'Change the text of messages to customers in one language.',
    body: { schema: ChangeTemplateRequest },
    responses: [{ status: 200, schema: MessageTemplates }],
  },
  previewTemplate: {
    method: 'post',
    console: { path: `${TEMPLATES}/preview`, access: 'projects.read' },
    summary: 'How a text looks with the values of an example.',
    body: { schema: MessageDraft },
    responses: [{ status: 200, schema: MessagePreview }],
  },
} as const satisfies Record<string, Operation>;

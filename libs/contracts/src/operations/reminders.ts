import { PlanReminderRequest, Reminder, ReminderList } from '../console/reminders';
import type { Operation } from './operation';
import { PROJECT_REPORT } from './paths';

const REMINDERS = `${PROJECT_REPORT}/reminders` as const;

export const REMINDER_OPERATIONS = {
  listReminders: {
    method: 'get',
    console: { path: REMINDERS, access: 'reports.read' },
    summary: 'The reminders of the customer of a report.',
    responses: [{ status: 200, schema: ReminderList }],
    errors: ['report_discarded', 'report_purge_pending'],
  },
  planReminder: {
    method: 'post',
    console: { path: REMINDERS, access: 'customers.manage' },
    summary: 'Plan a reminder, to which the customer agreed.',
    description:
      '409 conflict: `param` names what is missing: `channel` (a provider), `consent`, `email`, `phone` (a mobile number), `depth` (an estimate of wear), or `reminder` (one with this reason is planned already).',
    body: { schema: PlanReminderRequest },
    responses: [{ status: 201, schema: Reminder }],
    errors: ['conflict', 'report_discarded', 'report_purge_pending'],
  },
  stopReminder: {
    method: 'delete',
    console: { path: `${REMINDERS}/{reminder_id}`, access: 'customers.manage' },
    summary: 'Stop a reminder that is planned, or whose message waits in the outbox. Repeatable.',
    description: '409 conflict: it was sent. A message that is being sent at this moment may still arrive.',
    responses: [{ status: 204 }],
    errors: ['conflict', 'report_discarded', 'report_purge_pending'],
  },
} as const satisfies Record<string, Operation>;

import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { RemindersService } from './reminders.service';

@Injectable()
export class ReminderHandlers {
  constructor(private readonly reminders: RemindersService) {}

  readonly handlers = {
    listReminders: ({ caller, params }) => this.reminders.list(caller.projectId, params.report_id),
    planReminder: ({ caller, params, body }) => this.reminders.plan(caller, params.report_id, body),
    stopReminder: ({ caller, params }) => this.reminders.stop(caller, params.report_id, params.reminder_id),
  } satisfies Partial<OperationHandlers>;
}

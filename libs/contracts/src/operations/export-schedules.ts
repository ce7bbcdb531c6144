import { ExportSchedule, ExportScheduleList, ExportScheduleRequest, FileAddress } from '../console/export-schedules';
import { EXPORT_SCHEDULES_MAX } from '../limits';
import type { Operation } from './operation';
import { PROJECT } from './paths';

const SCHEDULES = `${PROJECT}/export-schedules` as const;
const SCHEDULE = `${SCHEDULES}/{schedule_id}` as const;

const NO_SECRET =
  '422 validation_error with `param` bucket.secret_access_key: the secret is needed; with `param` password: the password is.';

export const EXPORT_SCHEDULE_OPERATIONS = {
  listExportSchedules: {
    method: 'get',
    console: { path: SCHEDULES, access: 'projects.manage' },
    summary: 'Files that are made every day, week or month, and what became of the last ones.',
    responses: [{ status: 200, schema: ExportScheduleList }],
  },
  createExportSchedule: {
    method: 'post',
    console: { path: SCHEDULES, access: 'projects.manage' },
    summary: 'Have a file made every day, week or month.',
    description: `The first file is that of the present period. A project has ${EXPORT_SCHEDULES_MAX} at most (409 conflict). ${NO_SECRET}`,
    body: { schema: ExportScheduleRequest },
    responses: [{ status: 201, schema: ExportSchedule }],
    errors: ['conflict'],
  },
  changeExportSchedule: {
    method: 'patch',
    console: { path: SCHEDULE, access: 'projects.manage' },
    summary: 'Change what is made, how often, and where it goes.',
    description: `Replaces all settings. Files that are stored and were not delivered are sent to the new bucket. ${NO_SECRET}`,
    body: { schema: ExportScheduleRequest },
    responses: [{ status: 200, schema: ExportSchedule }],
  },
  removeExportSchedule: {
    method: 'delete',
    console: { path: SCHEDULE, access: 'projects.manage' },
    summary: 'Remove a schedule with its files. Repeatable.',
    description: 'What is in your own bucket stays there.',
    responses: [{ status: 204 }],
  },
  openScheduledFile: {
    method: 'post',
    console: { path: `${PROJECT}/export-files/{file_id}/address`, access: 'projects.manage' },
    summary: 'A short-lived address of a file that is stored.',
    responses: [{ status: 200, schema: FileAddress }],
  },
} as const satisfies Record<string, Operation>;

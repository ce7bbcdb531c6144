import { ExportSelectionRequest } from '../console/reports';
import { EXPORT_COLUMNS, EXPORT_FORMATS, EXPORT_LANGUAGES, EXPORT_ROWS_MAX, USUAL_COLUMNS, type ExportColumn } from '../limits';
import { z } from 'zod';
import type { Operation } from './operation';
import { PROJECT } from './paths';
import { REPORT_OPERATIONS } from './reports';

/** The export has the filters of the list, whatever they are, and one order. */
const { cursor: _, limit: __, order: ___, ...FILTERS } = REPORT_OPERATIONS.listConsoleReports.query;

const MUST_BE_COLUMNS = `must be columns with commas between them, each once: ${EXPORT_COLUMNS.join(', ')}.`;

const isColumn = (name: string): name is ExportColumn => (EXPORT_COLUMNS as readonly string[]).includes(name);

const ONE_AT_A_TIME =
  'A project makes one export at a time. Columns of customers need the permission customers.manage, and the audit log names them.';

export const EXPORT_OPERATIONS = {
  exportReports: {
    method: 'get',
    console: { path: `${PROJECT}/report-export`, access: 'reports.read' },
    summary: 'The reports of the project as a file, newest first.',
    description:
      `At most ${EXPORT_ROWS_MAX.toLocaleString('en')} reports; a last line says so where there are more. Times are in UTC. A text in CSV that a spreadsheet ` +
      `would take for a formula begins with an apostrophe. ${ONE_AT_A_TIME}`,
    query: {
      format: z.enum(EXPORT_FORMATS).default('csv').describe('csv: UTF-8 with a byte order mark.'),
      language: z.enum(EXPORT_LANGUAGES).default('ko').describe('Of the names of columns and states.'),
      columns: z
        .string({ error: MUST_BE_COLUMNS })
        .default(USUAL_COLUMNS.join(','))
        .transform((text) => text.split(','))
        .refine((names) => names.every(isColumn) && new Set(names).size === names.length, MUST_BE_COLUMNS)
        .transform((names) => names.filter(isColumn))
        .meta({
          type: 'string',
          description: 'The columns in their order, with commas between them.',
          example: 'plate_number,depth_front_left',
        }),
      ...FILTERS,
    },
    responses: [{ status: 200, description: 'The file.' }],
    errors: ['validation_error', 'rate_limited'],
  },
  exportSelectedReports: {
    method: 'post',
    console: { path: `${PROJECT}/report-export`, access: 'reports.read' },
    summary: 'Selected reports of the project as a file.',
    description: `Reports that the project does not have are left out. ${ONE_AT_A_TIME}`,
    body: { schema: ExportSelectionRequest },
    responses: [{ status: 200, description: 'The file.' }],
    errors: ['validation_error', 'rate_limited'],
  },
} as const satisfies Record<string, Operation>;

import type { ErrorCode } from '@tire/kernel';
import type { z } from 'zod';
import { ACCOUNT_OPERATIONS } from './account';
import { AUDIT_OPERATIONS } from './audit';
import { CAPTURE_OPERATIONS } from './capture';
import { CONTENT_OPERATIONS } from './content';
import { CUSTOMER_OPERATIONS } from './customers';
import { ERASURE_OPERATIONS } from './erasures';
import { EXPORT_SCHEDULE_OPERATIONS } from './export-schedules';
import { EXPORT_OPERATIONS } from './exports';
import { IMAGE_OPERATIONS } from './images';
import { KEY_OPERATIONS } from './keys';
import { MESSAGE_OPERATIONS } from './messages';
import type { ApiRoute, ConsoleRoute, Operation } from './operation';
import type { PAGE, Parameters } from './parameters';
import { ORGANIZATION_OPERATIONS } from './organizations';
import { PASSKEY_OPERATIONS } from './passkeys';
import { PROJECT_OPERATIONS } from './projects';
import { PUBLICATION_OPERATIONS } from './publication';
import { REMINDER_OPERATIONS } from './reminders';
import { REPORT_OPERATIONS } from './reports';
import { RETENTION_OPERATIONS } from './retention';
import { SESSION_OPERATIONS } from './sessions';
import { PRICE_OPERATIONS } from './prices';
import { USAGE_OPERATIONS } from './usage';
import { VEHICLE_OPERATIONS } from './vehicles';
import { CALLBACK_OPERATIONS } from './callbacks';

export { TAGS, type Operation } from './operation';
export { TEXT_IN_PATH, type Parameters } from './parameters';

/** Every operation of the gateway, of the public API and of the web console. */
export const OPERATIONS = {
  ...REPORT_OPERATIONS,
  ...CONTENT_OPERATIONS,
  ...IMAGE_OPERATIONS,
  ...PUBLICATION_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...ORGANIZATION_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...PROJECT_OPERATIONS,
  ...KEY_OPERATIONS,
  ...CALLBACK_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...PRICE_OPERATIONS,
  ...CAPTURE_OPERATIONS,
  ...EXPORT_OPERATIONS,
  ...EXPORT_SCHEDULE_OPERATIONS,
  ...PASSKEY_OPERATIONS,
  ...CUSTOMER_OPERATIONS,
  ...MESSAGE_OPERATIONS,
  ...REMINDER_OPERATIONS,
  ...RETENTION_OPERATIONS,
  ...VEHICLE_OPERATIONS,
  ...ERASURE_OPERATIONS,
} as const;

export type Operations = typeof OPERATIONS;
export type OperationId = keyof Operations;

/** The parameters that a handler gets. */
export type ValuesOf<P> = P extends Parameters ? Readonly<z.output<z.ZodObject<P>>> : unknown;

export type QueryOf<Id extends OperationId> = ValuesOf<Operations[Id] extends { query: infer Query } ? Query : undefined>;

/** Filters of the list of reports. */
export type ReportFilter = Omit<QueryOf<'listConsoleReports'>, keyof typeof PAGE>;

type Listed = Omit<Operation, 'errors'> & { readonly operationId: OperationId; readonly errors: readonly ErrorCode[] };

const LIST = Object.entries<Operation>(OPERATIONS).map(([operationId, operation]): Listed => ({
  ...operation,
  operationId: operationId as OperationId,
  errors: operation.errors ?? [],
}));

/** The operations of the public API. */
export const API_OPERATIONS = LIST.flatMap((operation): (Listed & ApiRoute)[] =>
  operation.api ? [{ ...operation, ...operation.api }] : [],
);

/** The operations of the web console. */
export const CONSOLE_OPERATIONS = LIST.flatMap((operation): (Listed & ConsoleRoute)[] =>
  operation.console ? [{ ...operation, ...operation.console }] : [],
);

export type ApiOperation = (typeof API_OPERATIONS)[number];
export type ConsoleOperation = (typeof CONSOLE_OPERATIONS)[number];

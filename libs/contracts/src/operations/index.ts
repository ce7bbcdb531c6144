import type { ErrorCode } from '@tire/kernel';
import { ACCOUNT_OPERATIONS } from './account';
import { CONTENT_OPERATIONS } from './content';
import { IMAGE_OPERATIONS } from './images';
import type { ApiRoute, ConsoleRoute, Operation } from './operation';
import { ORGANIZATION_OPERATIONS } from './organizations';
import { PROJECT_OPERATIONS } from './projects';
import { PUBLICATION_OPERATIONS } from './publication';
import { REPORT_OPERATIONS } from './reports';
import { SESSION_OPERATIONS } from './sessions';
import { USAGE_OPERATIONS } from './usage';
import { WEBHOOK_OPERATIONS } from './webhooks';

export { TAGS, type Operation, type Scope } from './operation';
export type { Parameters } from './parameters';

/** Every operation of the gateway, of the public API and of the web console. */
export const OPERATIONS = {
  ...REPORT_OPERATIONS,
  ...CONTENT_OPERATIONS,
  ...IMAGE_OPERATIONS,
  ...PUBLICATION_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...ORGANIZATION_OPERATIONS,
  ...PROJECT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...USAGE_OPERATIONS,
} as const;

export type Operations = typeof OPERATIONS;
export type OperationId = keyof Operations;

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

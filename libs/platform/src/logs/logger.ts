import pino, { type DestinationStream, type Logger as PinoLogger } from 'pino';
import { initialLogLevel } from '../config/log-level';
import { isError } from '../is-error';
import { requestContext } from '../request-context';
import { LOG_FIELDS } from '../telemetry/names';
import { currentTrace } from '../telemetry/trace';
import { redactLine } from './redact';

export type Logger = PinoLogger;

const CAUSE_DEPTH_MAX = 5;

/** A call to another service, or to the database. */
export interface Call {
  readonly callee: string;
  readonly rpc?: string;
}

/** Log lines of the error name its call. */
export const ofCall = <E extends Error>(error: E, { callee, rpc }: Call): E => Object.assign(error, { callee, rpc });

/** Selected fields only: the error of a driver also contains the row, which may contain a plate number. */
function describeError(error: unknown, depth = 0): unknown {
  if (!isError(error)) return error;
  const { code, callee, rpc } = error as Error & Partial<Call> & { readonly code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(callee === undefined ? {} : { callee, rpc }),
    stack: error.stack,
    ...(error.cause === undefined || depth === CAUSE_DEPTH_MAX ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}

function contextFields(): object {
  const { requestId, projectId, reportId } = requestContext.getStore() ?? {};
  const trace = currentTrace();
  return {
    ...(requestId ? { [LOG_FIELDS.requestId]: requestId } : {}),
    ...(projectId ? { [LOG_FIELDS.projectId]: projectId } : {}),
    ...(reportId ? { [LOG_FIELDS.reportId]: reportId } : {}),
    ...(trace ? { [LOG_FIELDS.traceId]: trace.traceId, [LOG_FIELDS.spanId]: trace.spanId } : {}),
  };
}

export function createRootLogger(destination?: DestinationStream, level: string = initialLogLevel()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: contextFields,
      serializers: { err: describeError, error: describeError },
      hooks: { streamWrite: redactLine },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

const root = createRootLogger();

/** JSON lines on stdout. The ids of the current request and trace are added to each line. */
export const logger = (name: string): Logger => root.child({ [LOG_FIELDS.name]: name });

import { Metadata } from '@grpc/grpc-js';
import { DomainError, ERRORS, type Fault, isErrorCode } from '@tire/kernel';

const DETAILS_KEY = 'tire-error-bin';

/** Metadata is bounded: a server of gRPC may refuse more than 8 KiB. */
const FAULTS_SENT_MAX = 20;

interface Details {
  readonly code?: unknown;
  readonly param?: unknown;
  readonly message?: unknown;
  readonly faults?: unknown;
  readonly reportId?: unknown;
}

/** The error as a trailer. Binary, because a message may contain any character. It disables retries in the channel: the client decides. */
export function toTrailer({ code, param, message, faults, reportId }: DomainError): Metadata {
  const metadata = new Metadata();
  const sent: Details = { code, param, message, reportId, faults: faults.slice(0, FAULTS_SENT_MAX) };
  metadata.set(DETAILS_KEY, Buffer.from(JSON.stringify(sent), 'utf8'));
  metadata.set('grpc-retry-pushback-ms', '-1');
  return metadata;
}

/** The error in the trailer. Undefined if there is none, or if this release does not support it. */
export function fromTrailer(metadata: Metadata | undefined, cause: unknown): DomainError | undefined {
  const [value] = metadata?.get(DETAILS_KEY) ?? [];
  if (!Buffer.isBuffer(value)) return undefined;
  try {
    const { code, param, message, faults, reportId } = JSON.parse(value.toString('utf8')) as Details;
    if (!isErrorCode(code)) return undefined;
    return new DomainError(code, {
      param: textOf(param) ?? null,
      message: textOf(message) ?? ERRORS[code].message,
      faults: Array.isArray(faults) ? faults.map(faultOf) : undefined,
      reportId: textOf(reportId),
      cause,
    });
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function faultOf(value: unknown): Fault {
  const { param, message } = Object(value) as Details;
  return { param: textOf(param) ?? null, message: textOf(message) ?? '' };
}

import { Metadata } from '@grpc/grpc-js';
import { DomainError, isErrorCode } from '@tire/kernel';

const DETAILS_KEY = 'tire-error-bin';

/** The error as a trailer. Binary, because a message may contain any character. It disables retries in the channel: the client decides. */
export function toTrailer({ code, param, message }: DomainError): Metadata {
  const metadata = new Metadata();
  metadata.set(DETAILS_KEY, Buffer.from(JSON.stringify({ code, param, message }), 'utf8'));
  metadata.set('grpc-retry-pushback-ms', '-1');
  return metadata;
}

/** The error in the trailer. Undefined if there is none, or if this release does not support it. */
export function fromTrailer(metadata: Metadata | undefined, cause: unknown): DomainError | undefined {
  const [value] = metadata?.get(DETAILS_KEY) ?? [];
  if (!Buffer.isBuffer(value)) return undefined;
  try {
    const details = JSON.parse(value.toString('utf8')) as { code?: unknown; param?: unknown; message?: unknown };
    if (!isErrorCode(details.code)) return undefined;
    const param = typeof details.param === 'string' ? details.param : null;
    return new DomainError(details.code, { param, message: typeof details.message === 'string' ? details.message : undefined, cause });
  } catch {
    return undefined;
  }
}

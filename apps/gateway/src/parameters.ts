import { DomainError, isUuid } from '@tire/kernel';
import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** An id that no resource can have names no resource. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!isUuid(id)) throw new DomainError('not_found');
    return id.toLowerCase();
  }
}

/** Of a filter: left out, or one id. */
@Injectable()
export class OptionalIdPipe implements PipeTransform<unknown, string | null> {
  constructor(private readonly param: string) {}

  transform(value: unknown): string | null {
    if (value === undefined) return null;
    if (typeof value === 'string' && isUuid(value)) return value;
    throw new DomainError('validation_error', { param: this.param, message: `${this.param}: is no id.` });
  }
}

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined => {
  const key = context.switchToHttp().getRequest<FastifyRequest>().headers['idempotency-key'];
  return key === undefined ? undefined : idempotencyKey(String(key));
});

export function idempotencyKey(key: string): string {
  if (IDEMPOTENCY_KEY.test(key)) return key;
  throw new DomainError('validation_error', {
    param: 'Idempotency-Key',
    message: 'Idempotency-Key: must be 1 to 255 printable ASCII characters.',
  });
}

@Injectable()
export class FlagPipe implements PipeTransform<unknown, boolean> {
  constructor(private readonly param: string) {}

  transform(value: unknown): boolean {
    if (value === undefined || value === 'false') return false;
    if (value === 'true') return true;
    throw new DomainError('validation_error', { param: this.param, message: `${this.param}: must be true or false.` });
  }
}

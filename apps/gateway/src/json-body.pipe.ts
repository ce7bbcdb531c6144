import { DomainError } from '@tire/kernel';
import { paramOf } from '@tire/contracts';
import { Injectable, type PipeTransform } from '@nestjs/common';
import type { z } from 'zod';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** What stands for a body that was sent as something else than JSON: that is said when it is the body's turn to be judged. */
const FOREIGN = Symbol('foreign body');

/** A body without a type is taken for JSON: that is all that there can be. */
export const bodySentAs = (type: string | undefined, bytes: unknown): unknown =>
  type === undefined || JSON_TYPE.test(type) || isEmpty(bytes) ? bytes : FOREIGN;

/** The one place where a body becomes a request: JSON, then its schema, the first fault named. */
@Injectable()
export class JsonBody<S extends z.ZodType> implements PipeTransform<unknown, z.output<S>> {
  constructor(
    private readonly schema: S,
    /** What a request without a body means, where it may come without. */
    private readonly options: { readonly whenEmpty?: object } = {},
  ) {}

  transform(body: unknown): z.output<S> {
    const { whenEmpty } = this.options;
    return accepted(this.schema, whenEmpty && isEmpty(body) ? whenEmpty : parsed(body));
  }
}

/** What follows the question mark, of which a schema knows the names that it wants. */
@Injectable()
export class QueryOf<S extends z.ZodType> implements PipeTransform<unknown, z.output<S>> {
  constructor(private readonly schema: S) {}

  transform(query: unknown): z.output<S> {
    return accepted(this.schema, query);
  }
}

function accepted<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const [issue] = error.issues;
  const param = paramOf(issue?.path ?? []);
  throw new DomainError('validation_error', { param, message: param === null ? issue?.message : `${param}: ${issue?.message}` });
}

const isEmpty = (body: unknown): boolean => body !== FOREIGN && (!Buffer.isBuffer(body) || body.length === 0);

function parsed(body: unknown): unknown {
  if (body === FOREIGN)
    throw new DomainError('validation_error', { param: 'Content-Type', message: 'The body must be sent as application/json.' });
  if (!Buffer.isBuffer(body) || body.length === 0)
    throw new DomainError('validation_error', { message: 'The body must be a JSON object.' });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new DomainError('validation_error', { message: 'The body is not valid JSON in UTF-8.', cause });
  }
}

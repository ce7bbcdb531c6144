import { paramOf } from '@tire/contracts/api';
import type { Operation } from '@tire/contracts/operations';
import { DomainError } from '@tire/kernel';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Stands for a body of another type than JSON. The fault is reported when the body is validated, after the checks that come first. */
const OTHER_TYPE = Symbol('body of another type');

/** A body without a type is taken as JSON. */
export const bodySentAs = (type: string | undefined, bytes: unknown): unknown =>
  type === undefined || JSON_TYPE.test(type) || isEmpty(bytes) ? bytes : OTHER_TYPE;

/** Makes the function that turns a request into what the schemas of its operation accept; the first fault gives a validation_error. */
export function requestParser({ headers, body, query }: Operation) {
  const headerNames = Object.keys(headers ?? {});
  const headerSchema = headers && z.object(headers);
  const querySchema = query && z.object(query);
  return (request: FastifyRequest) => ({
    headers: headerSchema && accepted(headerSchema, Object.fromEntries(headerNames.map((name) => [name, headerOf(request, name)]))),
    body: body && parseBody(body.schema, request.body, body.optional),
    query: querySchema && accepted(querySchema, request.query),
  });
}

const headerOf = (request: FastifyRequest, name: string): unknown => request.headers[name.toLowerCase()];

/** JSON in UTF-8, then the schema. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown, optional = false): z.output<S> {
  return accepted(schema, optional && isEmpty(body) ? {} : parsed(body));
}

function accepted<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const [issue] = error.issues;
  const param = paramOf(issue?.path ?? []);
  throw new DomainError('validation_error', { param, message: param === null ? issue?.message : `${param}: ${issue?.message}` });
}

const isEmpty = (body: unknown): boolean => body !== OTHER_TYPE && (!Buffer.isBuffer(body) || body.length === 0);

function parsed(body: unknown): unknown {
  if (body === OTHER_TYPE)
    throw new DomainError('validation_error', { param: 'Content-Type', message: 'The body must be sent as application/json.' });
  if (!Buffer.isBuffer(body) || body.length === 0)
    throw new DomainError('validation_error', { message: 'The body must be a JSON object.' });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new DomainError('validation_error', { message: 'The body is not valid JSON in UTF-8.', cause });
  }
}

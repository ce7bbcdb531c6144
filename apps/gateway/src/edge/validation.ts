import { paramOf } from '@tire/contracts/api';
import type { Operation } from '@tire/contracts/operations';
import { type Fault, fault, FAULTS_MAX, refuseFaulty } from '@tire/kernel';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { misspelledFields } from './misspelled-fields';
import { plainWords } from './plain-words';

const NO_OBJECT = 'The body must be a JSON object.';
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Stands for a body of another type than JSON. The fault is reported when the body is validated, after the checks that come first. */
const OTHER_TYPE = Symbol('body of another type');

/** A body without a type is taken as JSON. */
export const bodySentAs = (type: string | undefined, bytes: unknown): unknown =>
  type === undefined || JSON_TYPE.test(type) || isEmpty(bytes) ? bytes : OTHER_TYPE;

/** Makes the function that turns a request into what the schemas of its operation accept; a validation_error names every fault. */
export function requestParser({ headers, body, query, refusesUnknownQuery }: Operation) {
  const headerNames = Object.keys(headers ?? {});
  const headerSchema = headers && z.object(headers);
  const querySchema = query && (refusesUnknownQuery ? z.strictObject(query) : z.object(query));
  return (request: FastifyRequest) => {
    const faults: Fault[] = [];
    const parts = {
      headers: headerSchema && judged(headerSchema, Object.fromEntries(headerNames.map((name) => [name, headerOf(request, name)])), faults),
      body: body && judgedBody(body.schema, request.body, body.optional, faults),
      query: querySchema && judged(querySchema, request.query, faults),
    };
    refuseFaulty(faults);
    return { ...parts, misspelled: () => (body ? misspelledFields(body.schema, jsonOf(request.body)) : []) };
  };
}

const headerOf = (request: FastifyRequest, name: string): unknown => request.headers[name.toLowerCase()];

/** JSON in UTF-8, then the schema. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown, optional = false): z.output<S> {
  const faults: Fault[] = [];
  const data = judgedBody(schema, body, optional, faults);
  refuseFaulty(faults);
  return data as z.output<S>;
}

/** Undefined if it is refused: then there is a fault more. */
function judgedBody<S extends z.ZodType>(
  schema: S,
  body: unknown,
  optional: boolean | undefined,
  faults: Fault[],
): z.output<S> | undefined {
  if (optional && isEmpty(body)) return judged(schema, {}, faults);
  const json = parsed(body);
  if ('fault' in json) return void faults.push(json.fault);
  return judged(schema, json.value, faults);
}

function judged<S extends z.ZodType>(schema: S, value: unknown, faults: Fault[]): z.output<S> | undefined {
  const { data, error } = schema.safeParse(value, { error: plainWords });
  for (const issue of error?.issues.slice(0, FAULTS_MAX) ?? []) faults.push(...faultsOf(issue));
  return data;
}

/** Parses again: few operations want it, and only after the body was accepted. */
function jsonOf(body: unknown): unknown {
  const json = parsed(body);
  return 'fault' in json ? undefined : json.value;
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => fault(shortened(name), 'is no parameter of this operation.'));
  }
  const param = paramOf(issue.path);
  if (param !== null) return [fault(param, issue.message)];
  return [{ param, message: issue.code === 'invalid_type' ? NO_OBJECT : issue.message }];
}

/** An unknown name may have the length of an address. */
const NAME_SHOWN_MAX = 64;
const shortened = (name: string): string => {
  const characters = [...name];
  return characters.length > NAME_SHOWN_MAX ? `${characters.slice(0, NAME_SHOWN_MAX).join('')}…` : name;
};

const isEmpty = (body: unknown): boolean => body !== OTHER_TYPE && (!Buffer.isBuffer(body) || body.length === 0);

/** The fault of a body of another type has a param: the header is wrong, whatever the body holds. */
function parsed(body: unknown): { readonly value: unknown } | { readonly fault: Fault } {
  if (body === OTHER_TYPE) return { fault: { param: 'Content-Type', message: 'The body must be sent as application/json.' } };
  if (!Buffer.isBuffer(body) || body.length === 0) return { fault: { param: null, message: NO_OBJECT } };
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return { fault: { param: null, message: 'The body is not valid JSON in UTF-8.' } };
  }
}

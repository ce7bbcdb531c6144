import type { CreationWarning } from '@tire/contracts/api';
import type { OperationId, Operations, ValuesOf } from '@tire/contracts/operations';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { KeyHolder } from '../keys/key.store';
import type { AnonymousCaller, CaptureCaller, MemberCaller, ProjectMember, SessionCaller } from './callers';
import type { HttpResponse } from './response';

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

type RouteOf<O> = O extends { api: infer Route }
  ? Route
  : O extends { console: infer Route }
    ? Route
    : O extends { capture: infer Route }
      ? Route
      : never;

type ParamsOf<O> = RouteOf<O> extends { path: infer Path } ? { readonly [Name in NamesIn<Path>]: string } : never;

type BodyOf<O> = O extends { body: { schema: infer Schema extends z.ZodType } } ? z.output<Schema> : undefined;

type CallerOfConsole<Route> = Route extends { access: 'everyone' }
  ? AnonymousCaller
  : Route extends { path: `/projects/{${string}` }
    ? ProjectMember
    : Route extends { path: `/organizations/{${string}` }
      ? MemberCaller
      : SessionCaller;

type CallerOf<O> =
  | (O extends { api: unknown } ? KeyHolder : never)
  | (O extends { console: infer Route } ? CallerOfConsole<Route> : never)
  | (O extends { capture: unknown } ? CaptureCaller : never);

type DocumentOf<Response> = Response extends { schema: infer Schema extends z.ZodType } ? z.output<Schema> : void;

type StatusOf<Response> = Response extends { status: infer Status extends number } ? Status : never;

type ResultOf<O> = O extends { responses: readonly (infer Response)[] } ? HttpResponse<StatusOf<Response>> | DocumentOf<Response> : never;

/** One request for an operation, validated by its row of the table. */
export interface Call<O> {
  readonly caller: CallerOf<O>;
  /** Ids in lower case. */
  readonly params: ParamsOf<O>;
  readonly query: ValuesOf<O extends { query: infer Query } ? Query : undefined>;
  readonly headers: ValuesOf<O extends { headers: infer Headers } ? Headers : undefined>;
  readonly body: BodyOf<O>;
  /** Unknown fields of the body that look like misspelled ones. */
  readonly misspelled: () => readonly CreationWarning[];
  /** The request, from which handlers read cookies. */
  readonly request: FastifyRequest;
}

/** Returns a document or a response. The status is the first one of the row unless the response has another one of the row. */
type Handler<O> = (call: Call<O>) => ResultOf<O> | Promise<ResultOf<O>>;

/** One handler for each operation, for the API and for the console alike. A row without a handler does not compile. */
export type OperationHandlers = { readonly [Id in OperationId]: Handler<Operations[Id]> };

export const OPERATION_HANDLERS = Symbol('OperationHandlers');

import type { ErrorCode } from '@tire/kernel';
import type { z } from 'zod';
import type { RequiredScope } from '../api';
import type { Permission } from '../console/roles';
import type { HeaderName } from './headers';
import type { Parameters } from './parameters';

export type Examples = Readonly<Record<string, unknown>>;

export const TAGS = [
  { name: 'Reports', description: 'Create an inspection report, read what was measured, discard it.' },
  {
    name: 'Content',
    description: 'What a customer is shown: verdicts and texts in Korean or English, and the data that overlays are drawn from.',
  },
  { name: 'Images', description: 'Upload images, register them, analyze them again.' },
  { name: 'Publication', description: 'The share page and its link.' },
  { name: 'Callbacks', description: 'Notifications that the service sends to `callback_url`.' },
  { name: 'Request log', description: 'What the keys of the project requested.' },
] as const;

/** How the operation is reached with an API key, below /api/v1. */
export interface ApiRoute {
  readonly path: string;
  readonly scope: RequiredScope;
  readonly tag: (typeof TAGS)[number]['name'];
  /** Not in the specification, which is silent about it. */
  readonly additional?: true;
}

/** How the operation is reached with a session of the web console, below /console/api. */
export interface ConsoleRoute {
  readonly path: string;
  /** everyone: without a session; signed_in: any session; else a member whose role has the permission. */
  readonly access: 'everyone' | 'signed_in' | Permission;
}

/** How the operation is reached with a capture link, below /capture/api. It is about the report of the link. */
export interface CaptureRoute {
  readonly path: string;
}

export interface Response {
  readonly status: 200 | 201 | 202 | 204 | 303 | 304;
  /** The summary of the operation where there is none. */
  readonly description?: string;
  readonly schema?: z.ZodType;
  readonly headers?: readonly HeaderName[];
  readonly examples?: Examples;
}

/**
 * One operation of the gateway. The routes of the gateway and both OpenAPI documents are made from these rows; the key of a row in its
 * table is the operationId.
 */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** An operation has one of the routes, or several: then the same handler serves them. */
  readonly api?: ApiRoute;
  readonly console?: ConsoleRoute;
  readonly capture?: CaptureRoute;
  readonly summary: string;
  readonly description?: string;
  readonly headers?: Parameters;
  readonly query?: Parameters;
  /** Unknown parameters are refused: a filter that is ignored would widen the answer without a word. */
  readonly refusesUnknownQuery?: true;
  /** An answer that may wait for what happens. It is not logged: a reader of the log would read its own requests. */
  readonly waits?: true;
  readonly body?: {
    readonly schema: z.ZodType;
    /** A request without a body means the empty object. */
    readonly optional?: true;
    /** Where it is more than the 256 KiB of other bodies. */
    readonly bytesMax?: number;
    readonly examples?: Examples;
  };
  readonly responses: readonly [Response, ...Response[]];
  /** Further errors, beside those that every operation has and those that follow from its route, path and body in the console. */
  readonly errors?: readonly ErrorCode[];
}

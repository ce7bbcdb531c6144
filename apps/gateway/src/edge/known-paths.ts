import { API_OPERATIONS, CONSOLE_OPERATIONS, TEXT_IN_PATH } from '@tire/contracts/operations';
import { type HttpException, MethodNotAllowedException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_PREFIX, CONSOLE_PREFIX } from './api-prefix';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: string[];
}

/** Beside the operations, each API has its own description. */
const DESCRIPTION = { path: '/openapi.json', method: 'get' } as const;
const below = (prefix: string, routes: readonly { readonly path: string; readonly method: string }[]) =>
  routes.map(({ path, method }) => ({ path: prefix + path, method }));
const ROUTES = [...below(API_PREFIX, [...API_OPERATIONS, DESCRIPTION]), ...below(CONSOLE_PREFIX, [...CONSOLE_OPERATIONS, DESCRIPTION])];

const parameterCount = ({ path }: { readonly path: string }): number => path.split('{').length;

/** A fixed part comes before a parameter at its place, as in the router. */
const KNOWN = new Map<string, KnownPath>();
for (const { path, method } of ROUTES.toSorted((one, other) => parameterCount(one) - parameterCount(other))) {
  const known = KNOWN.get(path) ?? {
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
    methods: [],
  };
  // Fastify answers HEAD wherever there is GET.
  known.methods.push(...(method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  KNOWN.set(path, known);
}

/** The path of an address as the router reads it: an encoded letter is the letter, and an encoded slash stays part of a value. */
export function pathIn(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** The paths that end in text of the partner, up to that text. */
const BEFORE_TEXT = Object.keys(TEXT_IN_PATH).flatMap((name) =>
  API_OPERATIONS.filter(({ path }) => path.includes(`{${name}}`)).map(({ path }) => ({
    name,
    before: API_PREFIX + path.slice(0, path.indexOf(`{${name}}`)),
  })),
);

/**
 * The path of an address without text of the partner, which may be personal data. Text may hold a slash that is not encoded, and a path that
 * is mistyped may hold it anywhere.
 */
export function pathToLog(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  const decoded = pathIn(url);
  const found = BEFORE_TEXT.find(({ before }) => decoded.startsWith(before));
  if (found) return `${found.before}{${found.name}}`;
  return methodsAt(url) ? path : `${API_PREFIX}/…`;
}

/** The methods that the path of a request has; null for a path that neither API has. */
function methodsAt(url: string): readonly string[] | null {
  const path = pathIn(url);
  return [...KNOWN.values()].find(({ pattern }) => pattern.test(path))?.methods ?? null;
}

/** 405 if the path has other methods; otherwise nothing, and the response is 404. */
export function otherMethodError({ url }: FastifyRequest, reply: FastifyReply): HttpException | undefined {
  const methods = methodsAt(url);
  if (!methods) return undefined;
  reply.header('allow', methods.join(', '));
  return new MethodNotAllowedException();
}

export function refuseOtherMethod(request: FastifyRequest, reply: FastifyReply): void {
  const error = otherMethodError(request, reply);
  if (error) throw error;
}

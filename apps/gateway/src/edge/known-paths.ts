import { API_OPERATIONS, CONSOLE_OPERATIONS, TEXT_IN_PATH } from '@tire/contracts/operations';
import { isUuid } from '@tire/kernel';
import { type HttpException, MethodNotAllowedException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_PREFIX, CONSOLE_PREFIX } from './api-prefix';

interface KnownPath {
  readonly path: string;
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
    path,
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
 * The path of an address with the ids in it, and without any other value, which may be personal data. Text may hold a slash that is not
 * encoded, and a path that is mistyped may hold it anywhere.
 */
export function pathToLog(url: string): string {
  const path = pathIn(url);
  const found = BEFORE_TEXT.find(({ before }) => path.startsWith(before));
  if (found) return `${found.before}{${found.name}}`;
  const known = knownPath(path);
  return known ? withIdsOnly(known.path, path) : `${API_PREFIX}/…`;
}

/** A value that is no id is the name of its parameter. */
function withIdsOnly(pattern: string, path: string): string {
  const values = path.split('/');
  return pattern
    .split('/')
    .map((part, place) => (part.startsWith('{') && isUuid(values[place]!) ? values[place] : part))
    .join('/');
}

/** Null for a path that neither API has. */
const knownPath = (path: string): KnownPath | null => [...KNOWN.values()].find(({ pattern }) => pattern.test(path)) ?? null;

const methodsAt = (url: string): readonly string[] | null => knownPath(pathIn(url))?.methods ?? null;

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

import { API_OPERATIONS, TEXT_IN_PATH } from '@tire/contracts/operations';
import { API_PREFIX } from './api-prefix';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: string[];
}

/** Beside the operations, the API has its own description. */
const ROUTES = [...API_OPERATIONS, { path: '/openapi.json', method: 'get' }] as const;

const KNOWN = new Map<string, KnownPath>();
for (const { path, method } of ROUTES) {
  const known = KNOWN.get(path) ?? {
    pattern: new RegExp(`^${API_PREFIX}${path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
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

/** The path of an address without text of the partner, which may be personal data. Text may hold a slash that is not encoded. */
export function pathToLog(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  const decoded = pathIn(url);
  const found = BEFORE_TEXT.find(({ before }) => decoded.startsWith(before));
  return found ? `${found.before}{${found.name}}` : path;
}

/** The methods that the path of a request has; null for a path that the API does not have. */
export function methodsAt(url: string): readonly string[] | null {
  const path = pathIn(url);
  return [...KNOWN.values()].find(({ pattern }) => pattern.test(path))?.methods ?? null;
}

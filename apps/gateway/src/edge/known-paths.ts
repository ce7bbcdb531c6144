import { API_OPERATIONS } from '@tire/contracts/operations';
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

/** The methods that the path of a request has; null for a path that the API does not have. */
export function methodsAt(url: string): readonly string[] | null {
  const [path = ''] = url.split('?', 1);
  return [...KNOWN.values()].find(({ pattern }) => pattern.test(path))?.methods ?? null;
}

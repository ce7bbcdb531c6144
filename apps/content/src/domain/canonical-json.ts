type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One text for one value: keys in code point order, nothing that JSON cannot carry. The bytes are hashed and served as they are. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(ordered(value, '$'));
}

function ordered(value: unknown, path: string): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`Not a finite number at ${path}`);
    return value;
  }
  if (Array.isArray(value)) return value.map((item: unknown, index) => ordered(item, `${path}[${index}]`));
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, member]) => [key, ordered(member, `${path}.${key}`)]));
  }
  throw new Error(`JSON has no ${typeof value} (at ${path})`);
}

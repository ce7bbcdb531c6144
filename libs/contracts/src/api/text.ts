import { z } from 'zod';
import { LIMITS } from '../limits';

/** Lengths count characters as people and JSON Schema do (code points), not UTF-16 units. */
export const characters = (value: string): number => [...value].length;

/** Text that every store and every client can hold: no NUL (Postgres refuses it), no half of a surrogate pair (UTF-8 has none). */
export const isStorable = (value: string): boolean => !value.includes('\u0000') && !/\p{Surrogate}/u.test(value);

const UNSTORABLE = 'must not contain NUL characters or lone surrogates';

export function text(maxLength: number, minLength = 0) {
  const schema = z
    .string()
    .refine(isStorable, UNSTORABLE)
    .refine((value) => characters(value) >= minLength, `must have at least ${minLength} character`)
    .refine((value) => characters(value) <= maxLength, `must have at most ${maxLength} characters`);
  return schema.meta({ ...(minLength > 0 ? { minLength } : {}), maxLength });
}

/** An absolute address as it was submitted; it is never re-encoded, so what a URL parser would quietly repair is refused. */
export const webAddress = (protocols: readonly ('https:' | 'http:')[]) =>
  text(LIMITS.url, 1)
    .refine((value) => isWebAddress(value, protocols), `must be an absolute ${names(protocols)} URL without user name and password`)
    .meta({ format: 'uri', minLength: 1, maxLength: LIMITS.url });

const names = (protocols: readonly string[]): string => protocols.map((protocol) => protocol.slice(0, -1).toUpperCase()).join(' or ');

function isWebAddress(value: string, protocols: readonly string[]): boolean {
  if (/[\s\p{Cc}\\]/u.test(value) || !/^https?:\/\/[^/?#]/i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return protocols.includes(url.protocol) && url.username === '' && url.password === '' && url.hostname !== '';
}

/**
 * Partner data is echoed in every report: bounded in size, and in depth because parsers of JSON recurse. Looked at as it came: the
 * schema of a record leaves out what it cannot keep.
 */
export const Metadata = z
  .preprocess(
    (metadata, context) => {
      const fault = metadataFault(metadata);
      if (fault) context.addIssue({ code: 'custom', message: fault });
      return metadata;
    },
    z.record(z.string(), z.unknown()),
  )
  .meta({
    description: `JSON object of the partner, at most 16 KiB serialized as UTF-8 JSON, at most ${LIMITS.metadataDepth} levels deep; echoed in client_context.metadata.`,
  });

function metadataFault(metadata: unknown): string | null {
  if (typeof metadata !== 'object') return null;
  const pending: { value: unknown; depth: number }[] = [{ value: metadata, depth: 1 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string' && !isStorable(value)) return UNSTORABLE;
    if (typeof value === 'number' && !Number.isFinite(value)) return 'must not contain numbers beyond those of a double';
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return 'must not contain the name __proto__';
    if (depth > LIMITS.metadataDepth) return `must be at most ${LIMITS.metadataDepth} levels deep`;
    if (!Object.keys(value).every(isStorable)) return UNSTORABLE;
    for (const child of Object.values(value)) pending.push({ value: child, depth: depth + 1 });
  }
  return new TextEncoder().encode(JSON.stringify(metadata)).length > LIMITS.metadataBytes ? 'must be at most 16 KiB serialized' : null;
}

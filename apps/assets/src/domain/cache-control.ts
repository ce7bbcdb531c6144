/** How long a cache may reuse an uploaded object without revalidation, from its Cache-Control header (RFC 9111, section 5.2). */

export const MAX_REUSE_SECONDS = 60;

interface Directive {
  readonly name: string;
  readonly value: string | undefined;
}

export type CacheControlVerdict =
  | { readonly accepted: true; readonly reuseSeconds: number }
  | { readonly accepted: false; readonly reason: 'missing' | 'malformed' | 'no_lifetime' | 'too_long' };

/** token [ "=" ( token / quoted-string ) ] of RFC 9110. Sticky, so that it skips no characters. */
const DIRECTIVE =
  /([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*)"))?/y;
const SEPARATOR = /[ \t]*(?:,[ \t]*)+/y;
const SECONDS = /^[0-9]+$/;

/** Undefined where the header is not a list of directives. The grammar allows empty elements. */
export function parseCacheControl(header: string): readonly Directive[] | undefined {
  const directives: Directive[] = [];
  let at = header.length - header.replace(/^[ \t,]+/, '').length;
  // A loop, because a regular expression anchored at the end takes quadratic time in the number of separators.
  let end = header.length;
  while (end > at && ' \t,'.includes(header[end - 1]!)) end -= 1;
  while (at < end) {
    DIRECTIVE.lastIndex = at;
    const found = DIRECTIVE.exec(header);
    if (!found) return undefined;
    directives.push({ name: found[1]!.toLowerCase(), value: found[2] ?? found[3]?.replace(/\\(.)/g, '$1') });
    at = DIRECTIVE.lastIndex;
    if (at >= end) break;
    SEPARATOR.lastIndex = at;
    if (!SEPARATOR.test(header)) return undefined;
    at = SEPARATOR.lastIndex;
  }
  return directives;
}

/** A bare number counts as max-age. */
const asLifetime = ({ name, value }: Directive): string | undefined => {
  if (name === 'max-age' || name === 's-maxage') return value ?? '';
  return value === undefined && SECONDS.test(name) ? name : undefined;
};

/**
 * Accepts at most a minute of reuse without revalidation in private and shared caches. A header without a lifetime is refused, because
 * a cache may then choose one. `no-cache="field"` concerns one field only and is ignored.
 */
export function judgeCacheControl(header: string | undefined): CacheControlVerdict {
  if (header === undefined || header.trim() === '') return { accepted: false, reason: 'missing' };
  const directives = parseCacheControl(header);
  if (!directives) return { accepted: false, reason: 'malformed' };
  if (directives.some(({ name, value }) => name === 'no-store' || (name === 'no-cache' && value === undefined)))
    return { accepted: true, reuseSeconds: 0 };
  const lifetimes = directives.map(asLifetime).filter((lifetime) => lifetime !== undefined);
  const stale = directives.filter(({ name }) => name === 'stale-while-revalidate').map(({ value }) => value ?? '');
  if (lifetimes.length === 0) return { accepted: false, reason: 'no_lifetime' };
  if (![...lifetimes, ...stale].every((seconds) => SECONDS.test(seconds))) return { accepted: false, reason: 'malformed' };
  const reuseSeconds = Math.max(...lifetimes.map(Number)) + Math.max(0, ...stale.map(Number));
  return reuseSeconds <= MAX_REUSE_SECONDS ? { accepted: true, reuseSeconds } : { accepted: false, reason: 'too_long' };
}

/** How long a cache may reuse an uploaded object without asking again, read from its Cache-Control header (RFC 9111, section 5.2). */

export const MAX_REUSE_SECONDS = 60;

interface Directive {
  readonly name: string;
  readonly value: string | undefined;
}

export type CacheControlVerdict =
  | { readonly accepted: true; readonly reuseSeconds: number }
  | { readonly accepted: false; readonly reason: 'missing' | 'malformed' | 'no_lifetime' | 'too_long' };

/** token [ "=" ( token / quoted-string ) ], as RFC 9110 writes tokens and quoted strings; sticky, so that nothing in between is skipped. */
const DIRECTIVE =
  /([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*)"))?/y;
const SEPARATOR = /[ \t]*(?:,[ \t]*)+/y;
const SECONDS = /^[0-9]+$/;

/** The directives of the header, or undefined where it does not follow the grammar of a list (empty elements are part of it). */
export function parseCacheControl(header: string): readonly Directive[] | undefined {
  const directives: Directive[] = [];
  let at = header.length - header.replace(/^[ \t,]+/, '').length;
  // Counted by hand: an expression tied to the end tries anew at each of the separators, and takes the square of their number.
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

/** A bare number stands for max-age. */
const asLifetime = ({ name, value }: Directive): string | undefined => {
  if (name === 'max-age' || name === 's-maxage') return value ?? '';
  return value === undefined && SECONDS.test(name) ? name : undefined;
};

/**
 * Accepted when the longest reuse without revalidation, over private and shared caches, is a minute or less. What cannot be
 * determined is refused: no lifetime lets a cache guess one. `no-cache="field"` covers one field only and says nothing here.
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

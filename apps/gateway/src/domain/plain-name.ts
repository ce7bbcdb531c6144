/** Control characters, and those that change the direction of text or are invisible. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** A dot between letters, as in the name of a host: programs that show mail make a link of it. */
const DOT_INSIDE = /(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu;

/**
 * A name that somebody chose, for the text of a mail: one line, without a link. Otherwise a person could name an organization after a page
 * and let this service send it to anybody.
 */
export function plainName(name: string, lengthMax = 100): string {
  const line = name.replaceAll(UNSEEN, ' ').replaceAll('://', ' ').replaceAll(DOT_INSIDE, '·').replaceAll(/\s+/g, ' ').trim();
  return [...line].slice(0, lengthMax).join('');
}

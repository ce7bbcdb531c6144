const OPAQUE_TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"/;

/** RFC 9110, 13.1.2: `*` or a list of tags, compared weakly. Any other value matches nothing. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  let rest = ifNoneMatch.trim();
  if (rest === '*') return true;
  const current = opaqueTag(etag);
  let matched = false;
  while (rest !== '') {
    const tag = OPAQUE_TAG.exec(rest);
    if (!tag) return false;
    matched ||= tag[1] === current;
    rest = rest.slice(tag[0].length).trimStart();
    if (rest !== '' && !rest.startsWith(',')) return false;
    rest = rest.replace(/^[,\s]+/, '');
  }
  return matched;
}

const opaqueTag = (etag: string): string | undefined => OPAQUE_TAG.exec(etag)?.[1];

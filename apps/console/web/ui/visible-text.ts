/** Control characters except tab and line feed, and format characters, which change the direction or hide text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const KEPT = ['\t', '\n'];

const named = (character: string): string => `⟨${character.codePointAt(0)!.toString(16).toUpperCase()}⟩`;

/** Renders untrusted text. Invisible characters are shown as code points, for example `⟨202E⟩` for a change of direction. */
export const visibleText = (text: string): string => text.replaceAll(UNSEEN, (found) => (KEPT.includes(found) ? found : named(found)));

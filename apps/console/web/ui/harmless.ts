/** Control characters but tab and line feed, and those of format, which would turn, hide or move the text around them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const KEPT = ['\t', '\n'];

const named = (character: string): string => `⟨${character.codePointAt(0)!.toString(16).toUpperCase()}⟩`;

/** Text of a stranger, where what cannot be seen is named: `⟨202E⟩` for what turns the direction. */
export const harmless = (text: string): string => text.replaceAll(UNSEEN, (found) => (KEPT.includes(found) ? found : named(found)));

/** The languages of page and PDF, as their addresses name them. */
export type Language = 'ko' | 'en';

/** The languages that a visitor requested. */
export interface Asked {
  /** The language in the address (`?lang=en`). Null: the language of the report. */
  readonly language: Language | null;
  /** The language of a closed page, which has no report: that of the address, else that of the browser. */
  readonly preferred: Language;
}

export const ASKED_NOTHING: Asked = { language: null, preferred: 'ko' };

/** Messengers include a bracket or a Korean particle after an address in the link. */
const NAMED = /^(ko|en)(?![a-z])/i;
const HEADER_LENGTH_MAX = 200;

const languageIn = (text: string): Language | null => (NAMED.exec(text)?.[1]?.toLowerCase() ?? null) as Language | null;

export function askedLanguage(named: unknown, acceptLanguage: string | undefined): Asked {
  const language = typeof named === 'string' ? languageIn(named) : null;
  return { language, preferred: language ?? preferredIn(acceptLanguage) ?? ASKED_NOTHING.preferred };
}

/** A request as it arrived: also one that reaches no route. */
export interface AskingRequest {
  readonly url: string;
  readonly headers: { readonly 'accept-language'?: string | undefined };
}

export function askedBy({ url, headers }: AskingRequest): Asked {
  const named = new URLSearchParams(/\?(.*)$/s.exec(url)?.[1]).getAll('lang');
  return askedLanguage(named.length === 1 ? named[0] : undefined, headers['accept-language']);
}

/** The first of ours in the order of their weights, for example `de;q=0.8, en-GB;q=0.9`. */
function preferredIn(header = ''): Language | null {
  const weighed = header
    .slice(0, HEADER_LENGTH_MAX)
    .split(',')
    .map((entry) => {
      const [tag = '', weight] = entry.trim().split(/;\s*q=/i);
      return { language: languageIn(tag), weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ language, weight }) => language !== null && weight > 0);
  return weighed.sort((a, b) => b.weight - a.weight)[0]?.language ?? null;
}

import { ANALYSIS_ERRORS, type AnalysisErrorCode, ERRORS, HTTP_REFUSALS, INTERFACE_ERROR_CODES } from '@tire/kernel';
import { ANALYSIS_TEXTS, CONTENT_TEXTS, REFUSAL_TEXTS, type RequestCode, TEXTS } from './error-texts';
import type { Language } from './pages';
import { WORDS } from './words';

interface Explained {
  readonly cause: string;
  readonly remedy: string;
}

function section(anchor: string, title: string, facts: readonly string[], { cause, remedy }: Explained, language: Language): string {
  const words = WORDS[language];
  return [`### ${title} {#${anchor}}`, facts.join(' · '), `**${words.cause}.** ${cause}`, `**${words.remedy}.** ${remedy}`].join('\n\n');
}

const isOfRequests = (code: string): code is RequestCode => code !== 'service_unavailable';

/** In the order of the table in the code. */
export const errorSections = (language: Language): string =>
  INTERFACE_ERROR_CODES.filter(isOfRequests)
    .map((code) => {
      const words = WORDS[language];
      const { httpStatus, type, retryable } = ERRORS[code];
      const status = code === 'internal_error' ? '5xx' : String(httpStatus);
      const facts = [`${words.status} ${status}`, `${words.type} \`${type}\``, `${words.again}: ${retryable ? words.yes : words.no}`];
      return section(code, `\`${code}\``, facts, TEXTS[language][code], language);
    })
    .join('\n\n');

/** Refusals with another status than 422, whose code is validation_error. */
export function refusalTable(language: Language): string {
  const words = WORDS[language];
  const rows = Object.keys(HTTP_REFUSALS).map((status) => {
    const { cause, remedy } = REFUSAL_TEXTS[language][Number(status)]!;
    return `| ${status} | ${cause} | ${remedy} |`;
  });
  return [`| ${words.status} | ${words.cause} | ${words.remedy} |`, '|---|---|---|', ...rows].join('\n');
}

/** The reasons of a failed slot. */
export const analysisSections = (language: Language): string =>
  (Object.keys(ANALYSIS_ERRORS) as AnalysisErrorCode[])
    .map((code) => {
      const words = WORDS[language];
      const again = ANALYSIS_ERRORS[code].retryable ? words.sameOrOther : words.otherOnly;
      return section(code, `\`${code}\``, [`${words.again}: ${again}`], ANALYSIS_TEXTS[language][code], language);
    })
    .join('\n\n');

export const contentSections = (language: Language): string =>
  Object.entries(CONTENT_TEXTS[language])
    .map(([code, text]) => section(code, `\`${code}\``, [], text, language))
    .join('\n\n');

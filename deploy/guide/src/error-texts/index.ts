import type { AnalysisErrorCode, InterfaceErrorCode } from '@tire/kernel';
import type { Language } from '../pages';
import * as en from './en';
import * as ko from './ko';

/** The codes that a partner sees: between services there is one more. */
export type RequestCode = Exclude<InterfaceErrorCode, 'service_unavailable'>;

/** CommonMark. A code without an entry does not compile. */
export interface ErrorText {
  readonly cause: string;
  readonly remedy: string;
}

export const TEXTS: Readonly<Record<Language, Readonly<Record<RequestCode, ErrorText>>>> = { ko: ko.REQUESTS, en: en.REQUESTS };
export const ANALYSIS_TEXTS: Readonly<Record<Language, Readonly<Record<AnalysisErrorCode, ErrorText>>>> = {
  ko: ko.ANALYSES,
  en: en.ANALYSES,
};
export const CONTENT_TEXTS: Readonly<Record<Language, Readonly<Record<string, ErrorText>>>> = { ko: ko.CONTENTS, en: en.CONTENTS };
/** By HTTP status. */
export const REFUSAL_TEXTS: Readonly<Record<Language, Readonly<Record<number, ErrorText>>>> = { ko: ko.REFUSALS, en: en.REFUSALS };

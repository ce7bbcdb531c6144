import { createContext, useContext, useLayoutEffect, useState, type ReactNode } from 'react';
import { en, type Texts } from './en';
import { ko } from './ko';

export const LANGUAGES = { ko, en } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT_AS = 'console-language';
const isLanguage = (value: string | null): value is Language => value !== null && value in LANGUAGES;

/** The language that was chosen in this browser, else the preferred language of the browser. */
function firstLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS);
  if (isLanguage(kept)) return kept;
  return navigator.language.startsWith('ko') ? 'ko' : 'en';
}

interface Chosen {
  readonly language: Language;
  readonly choose: (language: Language) => void;
}

const LanguageContext = createContext<Chosen>({ language: 'en', choose: () => undefined });

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage);
  useLayoutEffect(() => void (document.documentElement.lang = language), [language]);
  const choose = (chosen: Language) => {
    localStorage.setItem(KEPT_AS, chosen);
    setLanguage(chosen);
  };
  return <LanguageContext value={{ language, choose }}>{children}</LanguageContext>;
}

export const useLanguage = (): Chosen => useContext(LanguageContext);
export const useTexts = (): Texts => LANGUAGES[useLanguage().language];

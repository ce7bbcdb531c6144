import { createContext, useContext, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { Texts } from './en';

/** The name of each language in itself. */
export const LANGUAGES = { ko: '한국어', en: 'English' } as const;
export type Language = keyof typeof LANGUAGES;

/** A browser loads only the texts of the chosen language. */
const TEXTS: Readonly<Record<Language, () => Promise<Texts>>> = {
  ko: async () => (await import('./ko')).ko,
  en: async () => (await import('./en')).en,
};

const KEPT_AS = 'console-language';
const isLanguage = (value: string | null): value is Language => value !== null && value in LANGUAGES;

export interface Spoken {
  readonly language: Language;
  readonly texts: Texts;
}

const spoken = async (language: Language): Promise<Spoken> => ({ language, texts: await TEXTS[language]() });

/** The language that was chosen in this browser, else the preferred language of the browser. */
export async function firstLanguage(): Promise<Spoken> {
  const kept = localStorage.getItem(KEPT_AS);
  if (isLanguage(kept)) return spoken(kept);
  return spoken(navigator.language.startsWith('ko') ? 'ko' : 'en');
}

interface Chosen extends Spoken {
  readonly choose: (language: Language) => void;
}

const LanguageContext = createContext<Chosen | null>(null);

export function LanguageProvider({ first, children }: { first: Spoken; children: ReactNode }) {
  const [current, setCurrent] = useState(first);
  const { language } = current;
  useLayoutEffect(() => void (document.documentElement.lang = language), [language]);
  const latest = useRef(language);
  const choose = (chosen: Language) => {
    latest.current = chosen;
    localStorage.setItem(KEPT_AS, chosen);
    // Without a connection the language stays until the page is loaded again.
    spoken(chosen).then(
      (loaded) => latest.current === chosen && setCurrent(loaded),
      () => undefined,
    );
  };
  return <LanguageContext value={{ ...current, choose }}>{children}</LanguageContext>;
}

export function useLanguage(): Chosen {
  const chosen = useContext(LanguageContext);
  if (!chosen) throw new Error('A text was shown outside of LanguageProvider');
  return chosen;
}

export const useTexts = (): Texts => useLanguage().texts;

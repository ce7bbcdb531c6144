/** In the order of reading; each has a source in docs/guide/<language>. */
export const PAGES = [
  'quick-start',
  'images',
  'results',
  'sharing',
  'webhooks',
  'errors',
  'idempotency',
  'versioning',
  'limits',
  'testing',
  'sandbox',
  'going-live',
  'clients',
  'changelog',
] as const;
export type Page = (typeof PAGES)[number];

export const LANGUAGES = ['ko', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

export const otherThan = (language: Language): Language => (language === 'ko' ? 'en' : 'ko');

/** Everything is served below it. */
export const BASE = '/docs';

export const addressOf = (language: Language, page: string): string => `${BASE}/${language}/${page}`;

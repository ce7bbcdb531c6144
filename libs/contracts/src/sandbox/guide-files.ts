import type { GuideLanguage } from './guide-words';

/** The generated pages, from the repository's root. */
export const GUIDE_FILES: readonly (readonly [GuideLanguage, string])[] = [
  ['en', 'docs/guide/en/sandbox.md'],
  ['ko', 'docs/guide/ko/sandbox.md'],
];

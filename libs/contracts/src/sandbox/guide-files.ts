import type { GuideLanguage } from './guide-words';

/** The generated pages, from the repository's root. */
export const GUIDE_FILES: readonly (readonly [GuideLanguage, string])[] = [
  ['en', 'apps/gateway/SANDBOX.md'],
  ['ko', 'apps/gateway/SANDBOX.ko.md'],
];

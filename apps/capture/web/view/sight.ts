import type { Sight } from '../app/walk';
import type { Words } from '../i18n/en';

const SIGNS: Record<Sight['is'], string> = {
  empty: '○',
  optional: '+',
  skipped: '–',
  sending: '↑',
  measuring: '…',
  good: '✓',
  poor: '!',
  failed: '✗',
  contested: '?',
  unsent: '✗',
};

/** Sign, words and share: never the color alone. */
export function sightText(words: Words, sight: Sight): string {
  const share = sight.is === 'sending' && sight.share > 0 ? ` ${Math.round(sight.share * 100)} %` : '';
  return `${SIGNS[sight.is]} ${words.states[sight.is]}${share}`;
}

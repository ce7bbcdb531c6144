import type { Stop } from '../app/walk';
import { type Language, reasonOf, slotName, WORDS } from '../i18n/words';

/** What a screen reader hears when results arrive. */
export function newsOf(language: Language, before: readonly Stop[], now: readonly Stop[]): string {
  const words = WORDS[language];
  const was = new Map(before.map(({ id, sight }) => [id, sight.is]));
  return now
    .filter(({ id, sight }) => was.has(id) && was.get(id) !== sight.is)
    .map(({ slot, sight }) => {
      const name = slotName(words, slot.slot);
      const reason = reasonOf(language, sight);
      if (reason !== null) return words.newsBad(name, reason);
      if (sight.is === 'good') return words.newsGood(name);
      return sight.is === 'sending' ? words.newsTaken(name) : '';
    })
    .filter(Boolean)
    .join(' ');
}

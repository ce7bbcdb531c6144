import type { Slot } from '@tire/kernel/slots';
import { RETAKE_HINTS } from '@tire/kernel/retake';
import type { Sight } from '../app/walk';
import { en, type Words } from './en';
import { ko } from './ko';

export type Language = 'ko' | 'en';

export const WORDS: Readonly<Record<Language, Words>> = { ko, en };

export const slotName = (words: Words, { position, image_type }: Slot): string =>
  words.slot(words.positions[position], words.types[image_type]);

/** Why a photograph should be taken again, and how; null where it need not be. */
export function reasonOf(language: Language, sight: Sight): string | null {
  const words = WORDS[language];
  const hint = 'reasons' in sight && sight.reasons[0] ? RETAKE_HINTS[sight.reasons[0]][language] : null;
  switch (sight.is) {
    case 'failed':
      return hint ?? words.failures[sight.code ?? 'analysis_failed'];
    case 'poor':
      return hint ?? words.notRecognized;
    case 'contested':
      return words.contested;
    case 'unsent':
      return words.refusals[sight.why];
    default:
      return null;
  }
}

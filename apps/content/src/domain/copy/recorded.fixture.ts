import { type Content, type ContentTire } from '@tire/contracts/api';
import { generateContent } from '../document/generate';
import { API_URL, CONTENT_REVISION } from '../fixtures/snapshot.fixture';
import type { Snapshot } from '../source/source';
import { generationOf } from '../versions/registry';
import { copy2 } from './copy-2.0';
import type { Language, Sentence, Sentences } from './copy-2.0-language';

export interface Use {
  readonly sentence: Sentence;
  readonly text: string;
  /** The tire that the sentence is about; null in the parts about the whole car. */
  readonly tire: ContentTire['position'] | null;
}

/** Generates a document and records every sentence that it uses. */
export function recordedContent(snapshot: Snapshot, language: Language): { readonly content: Content; readonly uses: readonly Use[] } {
  const uses: Use[] = [];
  let tire: Use['tire'] = null;
  const say = (sentence: Sentence, text: string): string => {
    uses.push({ sentence, text, tire });
    return text;
  };
  const recordedOf = (sentences: Partial<Sentences>): Sentences =>
    Object.fromEntries(
      Object.entries<(...words: never[]) => string>(sentences).map(([sentence, sentenceOf]) => [
        sentence,
        (...words: never[]) => say(sentence as Sentence, sentenceOf(...words)),
      ]),
    ) as unknown as Sentences;
  const copy = copy2({ ...language, sentences: recordedOf(language.sentences), entered: recordedOf(language.entered) });
  const recording = {
    ...copy,
    tire(...given: Parameters<typeof copy.tire>) {
      tire = given[0].position;
      const text = copy.tire(...given);
      tire = null;
      return text;
    },
  };
  const generation = { ...generationOf(snapshot.generator, language.locale), copy: recording };
  return { content: generateContent(snapshot, CONTENT_REVISION, API_URL, generation).content, uses };
}

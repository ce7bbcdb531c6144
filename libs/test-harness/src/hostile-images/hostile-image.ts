/** What a service may answer to an image by its public codes; 'accepted' is an answer too. */
export type Verdict = 'accepted' | 'image_format_unsupported' | 'image_undecodable' | 'image_too_large';

export interface HostileImage {
  readonly name: string;
  readonly verdict: Verdict;
  /** Made when it is needed: all of them together would fill a machine. */
  make(): Buffer;
}

export const image = (verdict: Verdict, name: string, make: () => Buffer): HostileImage => ({ verdict, name, make });

/** Numbers that look random and are the same in every run. */
export function noise(bytes: number, seed = 1): Buffer {
  const made = Buffer.alloc(bytes);
  let state = seed;
  for (let at = 0; at < bytes; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    made[at] = state >>> 24;
  }
  return made;
}

/** So many places inside, from the first byte to the last but one. */
export const cuts = (bytes: number, places: number): number[] =>
  Array.from({ length: places }, (_, index) => 1 + Math.floor((index * (bytes - 2)) / (places - 1)));

/** The public error code for an image, or 'accepted'. */
export type Verdict = 'accepted' | 'image_format_unsupported' | 'image_undecodable' | 'image_too_large';

export interface HostileImage {
  readonly name: string;
  readonly verdict: Verdict;
  /** Made on demand: all of them together do not fit into memory. */
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

/** This number of offsets, from the first byte to the last but one. */
export const cuts = (bytes: number, places: number): number[] =>
  Array.from({ length: places }, (_, index) => 1 + Math.floor((index * (bytes - 2)) / (places - 1)));

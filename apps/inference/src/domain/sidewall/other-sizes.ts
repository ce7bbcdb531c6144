import { compact, certaintyOf, type DecodedText } from './decoded-text';

/** What a size is written for that has no width in millimetres, ratio in percent and rim in whole inches of a car. */
export type OtherKind = 'truck' | 'motorcycle' | 'flotation' | 'no_aspect_ratio';

export interface OtherSize {
  readonly kind: OtherKind;
  /** How sure the recognizer is of its characters, 0..1. */
  readonly certainty: number;
}

// Nothing before it that could belong to the number: the end of a car's size is often all that a line holds.
const START = '(?<![\\d/.,])';
const POINT = '[.,·]';

/** In the order in which they are tried: what begins like another one comes before it. Compact, a load index follows without a gap. */
const GRAMMAR: readonly (readonly [OtherKind, RegExp])[] = [
  ['flotation', new RegExp(`${START}[23]\\dX\\d{1,2}(${POINT}\\d{1,2})?L?[R-]\\d{2}`, 'd')],
  // A rim of half inches is a truck's; a point is easily lost, and then no load index may follow that the five could be a part of.
  ['truck', new RegExp(`\\d{3}/\\d{2}[R-](17|19|22|24)(${POINT}5|5(?![\\dA-Z]))`, 'd')],
  ['truck', new RegExp(`${START}([789]|1[0-8])(${POINT}\\d{1,2})?[R-](17|19|22|24)${POINT}?5`, 'd')],
  ['truck', new RegExp(`${START}(7${POINT}[5-9]\\d?|[89]${POINT}\\d{1,2}|1[0-4]${POINT}00)[R-](1[5-9]|2[0-4])`, 'd')],
  ['motorcycle', new RegExp(`${START}([6-9]0|[12]\\d0)/[3-9][05](Z?R|-|B|ZB)(1\\d|2[0-3])`, 'd')],
  ['motorcycle', new RegExp(`${START}[234]${POINT}\\d{2}[R-](1\\d|2[01])`, 'd')],
  ['no_aspect_ratio', new RegExp(`${START}(1[1-9]5|2[0-3]5)[SHTVQ]?R1[0-7]C?`, 'd')],
  ['no_aspect_ratio', new RegExp(`${START}([56]${POINT}\\d{1,2}|7${POINT}[0-4]\\d?)[R-]1[2-8]`, 'd')],
];

/** A size that is recognized and not returned. Undefined where a line holds a car's size, or none. */
export function otherSize(decodedText: DecodedText): OtherSize | undefined {
  const line = compact(decodedText);
  for (const [kind, pattern] of GRAMMAR) {
    const [from, to] = pattern.exec(line.text)?.indices?.[0] ?? [];
    if (from !== undefined) return { kind, certainty: certaintyOf(line, from, to) };
  }
  return undefined;
}

/** Those whose beginning is a car's size, where the rest of it is not seen. */
export const beginsLikeOneOfACar = (kind: OtherKind): boolean => kind === 'truck' || kind === 'motorcycle';

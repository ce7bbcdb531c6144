import { compact, certaintyOf, type DecodedText } from '../text/decoded-text';

/** Kinds of sizes that are not a width in millimetres, an aspect ratio in percent and a rim in whole inches. */
export type OtherKind = 'truck' | 'motorcycle' | 'flotation' | 'no_aspect_ratio';

export interface OtherSize {
  readonly kind: OtherKind;
  /** Product of the probabilities of its characters, 0..1. */
  readonly certainty: number;
}

// No character in front that could belong to the number: often a line holds only the end of a car's size.
const START = '(?<![\\d/.,])';
const POINT = '[.,·]';

/**
 * Tried in this order: a pattern stands in front of those that match a part of it. In compact text the load index follows without a gap.
 */
const GRAMMAR: readonly (readonly [OtherKind, RegExp])[] = [
  ['flotation', new RegExp(`${START}[23]\\dX\\d{1,2}(${POINT}\\d{1,2})?L?[R-]\\d{2}`, 'd')],
  // Rims with half inches are for trucks. The point is easily missed; then the 5 must not be a part of a load index.
  ['truck', new RegExp(`\\d{3}/\\d{2}[R-](17|19|22|24)(${POINT}5|5(?![\\dA-Z]))`, 'd')],
  ['truck', new RegExp(`${START}([789]|1[0-8])(${POINT}\\d{1,2})?[R-](17|19|22|24)${POINT}?5`, 'd')],
  ['truck', new RegExp(`${START}(7${POINT}[5-9]\\d?|[89]${POINT}\\d{1,2}|1[0-4]${POINT}00)[R-](1[5-9]|2[0-4])`, 'd')],
  ['motorcycle', new RegExp(`${START}([6-9]0|[12]\\d0)/[3-9][05](Z?R|-|B|ZB)(1\\d|2[0-3])`, 'd')],
  ['motorcycle', new RegExp(`${START}[234]${POINT}\\d{2}[R-](1\\d|2[01])`, 'd')],
  ['no_aspect_ratio', new RegExp(`${START}(1[1-9]5|2[0-3]5)[SHTVQ]?R1[0-7]C?`, 'd')],
  ['no_aspect_ratio', new RegExp(`${START}([56]${POINT}\\d{1,2}|7${POINT}[0-4]\\d?)[R-]1[2-8]`, 'd')],
];

/** A size that is recognized but not supported. Undefined where the line holds a car's size, or none. */
export function otherSize(decodedText: DecodedText): OtherSize | undefined {
  const line = compact(decodedText);
  for (const [kind, pattern] of GRAMMAR) {
    const [from, to] = pattern.exec(line.text)?.indices?.[0] ?? [];
    if (from !== undefined) return { kind, certainty: certaintyOf(line, from, to) };
  }
  return undefined;
}

/** Kinds whose beginning reads like a car's size where the rest is hidden. */
export const beginsLikeOneOfACar = (kind: OtherKind): boolean => kind === 'truck' || kind === 'motorcycle';

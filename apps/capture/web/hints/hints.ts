import type { ImageType } from '@tire/kernel/slots';
import { sightHintOf, type Sight, type SightHint } from '../framing/sight';
import type { Frame } from './frame';
import { isTooBright, isTooDark } from './light';
import { isSamePhoto } from './same-photo';
import { edgeWidthOf } from './sharpness';
import { hasTexture } from './texture';

/** The most decisive first: in the dark everything else is noise. */
export type Hint = 'too_dark' | 'too_bright' | SightHint | 'same_photo' | 'blurred' | 'moving';

export interface Looks {
  /** The whole picture, small. */
  readonly small: Frame;
  /** Parts of the picture at full resolution. */
  readonly parts: readonly Frame[];
  /** Pixels of a full picture's long side. */
  readonly longSidePx: number;
  /** The mean difference to the frame before; null for a first frame. */
  readonly motion: number | null;
  readonly hash: string;
  /** Of photographs that were taken of other slots. */
  readonly otherHashes: readonly string[];
  readonly asked: ImageType;
  /** What the network sees; null without one. */
  readonly sight: Sight | null;
}

/** Edges that are wider, as a share of the long side, are blurred: 7.5 px of 1,280. */
const WIDEST_EDGE_SHARE = 7.5 / 1_280;
/** A hand that holds still moves the picture by less. */
const MOTION_MAX = 7;

/** One sharp part is enough: the others may be out of focus behind the tire. Where something is to be seen and no part has an edge, nothing is sharp. */
export function isBlurred(parts: readonly Frame[], longSidePx: number): boolean {
  const widths = parts.map(edgeWidthOf).filter((width) => width !== null);
  return widths.length === 0 || Math.min(...widths) / longSidePx > WIDEST_EDGE_SHARE;
}

/** What keeps a frame from becoming a good photograph; null where nothing does. */
export function hintOf({ small, parts, longSidePx, motion, hash, otherHashes, asked, sight }: Looks): Hint | null {
  if (isTooDark(small)) return 'too_dark';
  if (isTooBright(small)) return 'too_bright';
  if (!hasTexture(small)) return 'no_tire';
  const sightHint = sight && sightHintOf(asked, sight);
  // The tread just taken is still in the picture when its sidewall is asked: then the kind is what is wrong.
  if (sightHint && sightHint !== 'too_far') return sightHint;
  if (otherHashes.some((other) => isSamePhoto(hash, other))) return 'same_photo';
  if (sightHint) return sightHint;
  if (isBlurred(parts, longSidePx)) return 'blurred';
  return motion !== null && motion > MOTION_MAX ? 'moving' : null;
}

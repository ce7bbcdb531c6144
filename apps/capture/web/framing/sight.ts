import type { ImageType } from '@tire/kernel/slots';

/** What the network sees in the middle square of the picture. The three shares of certainty make 1. */
export interface Sight {
  readonly none: number;
  readonly tread: number;
  readonly sidewall: number;
  /** The width of the tread, or the diameter of the wheel, as a share of the square. */
  readonly fill: number;
}

export type SightHint = 'no_tire' | 'is_sidewall' | 'is_tread' | 'too_far';

/** A doubt below these gives no hint: a wrong one keeps the shutter from going off by itself. The model card says how often each is right. */
const SURE_OF_NONE = 0.97;
const SURE_OF_KIND = 0.8;
/** Half of the outlines, which take 0.84 of the square for a tread and 0.88 for a wheel, with a margin for the error of the measure. */
const LEAST_FILL: Readonly<Record<ImageType, number>> = { tread: 0.36, sidewall: 0.4 };

/** What is wrong with where the camera points; null where nothing is, or where the network is not sure. */
export function sightHintOf(asked: ImageType, { none, tread, sidewall, fill }: Sight): SightHint | null {
  if (none >= SURE_OF_NONE) return 'no_tire';
  if (asked === 'tread' && sidewall >= SURE_OF_KIND) return 'is_sidewall';
  if (asked === 'sidewall' && tread >= SURE_OF_KIND) return 'is_tread';
  const right = asked === 'tread' ? tread : sidewall;
  return right >= SURE_OF_KIND && fill < LEAST_FILL[asked] ? 'too_far' : null;
}

import { drawnAsShown } from '@tire/kernel/orientation';
import type { ImageType } from '@tire/kernel/slots';

/** Measuring needs no more, and a mobile network carries it in seconds. */
export const LONG_SIDE_PX = 1_920;
/** Letters of a sidewall are a few pixels wide and suffer first. */
export const QUALITY: Readonly<Record<ImageType, number>> = { tread: 0.9, sidewall: 0.95 };
/** The network of sidewalls refuses less. */
export const SHORT_SIDE_MIN_PX = 120;

/** The picture that is hashed: a multiple of the hash's cells. */
export const HASHED = { width: 72, height: 64 };

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Drawing extends Size {
  /** For a canvas whose image is drawn into the unit square: turned as a viewer sees it. */
  readonly transform: readonly [number, number, number, number, number, number];
}

/** How the stored pixels are drawn: upright, and never larger than they are. */
export function drawingOf(stored: Size, orientation: number, longSidePx = LONG_SIDE_PX): Drawing {
  const scale = Math.min(1, longSidePx / Math.max(stored.width, stored.height));
  const [long, wide] = [Math.round(stored.width * scale), Math.round(stored.height * scale)].map((px) => Math.max(1, px)) as [
    number,
    number,
  ];
  // A quarter turn exchanges the sides.
  const [width, height] = orientation > 4 ? [wide, long] : [long, wide];
  const [a, b, c, d, e, f] = drawnAsShown(orientation).split(' ').map(Number) as [number, number, number, number, number, number];
  return { width, height, transform: [a * width, b * height, c * width, d * height, e * width, f * height] };
}

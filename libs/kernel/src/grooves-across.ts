import { pointAsShown } from './orientation';

export interface StoredPixels {
  readonly width: number;
  readonly height: number;
  /** EXIF orientation; 1 where there is none. */
  readonly orientation: number;
}

/**
 * The order in which a person counts the grooves of the upright image: from left to right, or from the top down where grooves are closer to
 * horizontal. Places are the middles of the grooves, 0 to 1 in the stored pixels; the answer holds their indices.
 */
export function orderAcross(
  places: readonly { readonly x: number; readonly y: number }[],
  { width, height, orientation }: StoredPixels,
): number[] {
  const [across, down] = orientation > 4 ? [height, width] : [width, height];
  const shown = places.map(({ x, y }) => pointAsShown(orientation, [x, y])).map(([x, y]) => [x * across, y * down] as const);
  const axis = reach(shown.map(([x]) => x)) >= reach(shown.map(([, y]) => y)) ? 0 : 1;
  return places.map((_, index) => index).sort((a, b) => shown[a]![axis] - shown[b]![axis]);
}

const reach = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

/** In the unit square: distance from the left, distance from the top. */
type Point = readonly [x: number, y: number];

/** How a browser transforms the stored pixels: first the flip, then the turn. */
interface Showing {
  readonly flipped: boolean;
  readonly turnedDegrees: 0 | 90 | 180 | 270;
  /** The same for a point of the stored image in the unit square: the six numbers of an SVG matrix. */
  readonly matrix: readonly [number, number, number, number, number, number];
}

const AS_STORED: Showing = { flipped: false, turnedDegrees: 0, matrix: [1, 0, 0, 1, 0, 0] };

/** The showings by EXIF orientation number. */
const SHOWINGS: Readonly<Record<number, Showing>> = {
  1: AS_STORED,
  2: { flipped: true, turnedDegrees: 0, matrix: [-1, 0, 0, 1, 1, 0] },
  3: { flipped: false, turnedDegrees: 180, matrix: [-1, 0, 0, -1, 1, 1] },
  4: { flipped: true, turnedDegrees: 180, matrix: [1, 0, 0, -1, 0, 1] },
  5: { flipped: true, turnedDegrees: 270, matrix: [0, 1, 1, 0, 0, 0] },
  6: { flipped: false, turnedDegrees: 90, matrix: [0, 1, -1, 0, 1, 0] },
  7: { flipped: true, turnedDegrees: 90, matrix: [0, -1, -1, 0, 1, 1] },
  8: { flipped: false, turnedDegrees: 270, matrix: [0, -1, 1, 0, 0, 1] },
};

const showingOf = (orientation: number): Showing => SHOWINGS[orientation] ?? AS_STORED;

/** How a decoder turns stored pixels into what a browser shows: first the flip, then the clockwise turn. */
export const showingTurn = (orientation: number): Pick<Showing, 'flipped' | 'turnedDegrees'> => showingOf(orientation);

/** The matrix that lays the image as a browser shows it back over the stored pixels: the inverse of `drawnAsShown`. */
export const shownAsStored = (orientation: number): Showing['matrix'] =>
  // Two quarter turns are the inverse of each other, every other showing of itself.
  showingOf(orientation === 6 ? 8 : orientation === 8 ? 6 : orientation).matrix;

/** The matrix that lays a drawing in stored coordinates over the image as a browser shows it. */
export const drawnAsShown = (orientation: number): string => showingOf(orientation).matrix.join(' ');

/** The same for one point. */
export function pointAsShown(orientation: number, [x, y]: Point): Point {
  const [a, b, c, d, e, f] = showingOf(orientation).matrix;
  return [a * x + c * y + e, b * x + d * y + f];
}

type Step = 'flip' | number;

/**
 * The CSS transform for an image that the browser has turned already, so that the stored image appears turned clockwise by these degrees
 * and then flipped. (A page cannot switch the turn of the browser off: for images of another origin browsers do not allow that.)
 */
function stepsOf(orientation: number, degrees: number, mirrored: boolean): Step[] {
  const { flipped, turnedDegrees } = showingOf(orientation);
  const left: Step[] = flipped ? [degrees, 'flip', -turnedDegrees] : [(degrees - turnedDegrees + 360) % 360];
  return [...(mirrored ? ['flip' as const] : []), ...left];
}

const css = (steps: readonly Step[]): string => steps.map((step) => (step === 'flip' ? 'scaleX(-1)' : `rotate(${step}deg)`)).join(' ');

export const transformOf = (orientation: number, degrees: number, mirrored: boolean): string =>
  css(stepsOf(orientation, degrees, mirrored));

/** The inverse, for text on the image: the text stays upright however the image is turned. */
export const uprightOf = (orientation: number, degrees: number, mirrored: boolean): string =>
  css(
    stepsOf(orientation, degrees, mirrored)
      .reverse()
      .map((step) => (step === 'flip' ? step : -step)),
  );

/** What a browser does to the stored pixels before it shows them: the flip first, then the turn. */
interface Showing {
  readonly flipped: boolean;
  readonly turnedDegrees: 0 | 90 | 180 | 270;
  /** The same for a point of the stored image, in the unit square, as SVG has it. */
  readonly matrix: string;
}

const AS_STORED: Showing = { flipped: false, turnedDegrees: 0, matrix: '1 0 0 1 0 0' };

/** By the number that EXIF gives it. */
const SHOWINGS: Readonly<Record<number, Showing>> = {
  1: AS_STORED,
  2: { flipped: true, turnedDegrees: 0, matrix: '-1 0 0 1 1 0' },
  3: { flipped: false, turnedDegrees: 180, matrix: '-1 0 0 -1 1 1' },
  4: { flipped: true, turnedDegrees: 180, matrix: '1 0 0 -1 0 1' },
  5: { flipped: true, turnedDegrees: 270, matrix: '0 1 1 0 0 0' },
  6: { flipped: false, turnedDegrees: 90, matrix: '0 1 -1 0 1 0' },
  7: { flipped: true, turnedDegrees: 90, matrix: '0 -1 -1 0 1 1' },
  8: { flipped: false, turnedDegrees: 270, matrix: '0 -1 1 0 0 1' },
};

const showingOf = (orientation: number): Showing => SHOWINGS[orientation] ?? AS_STORED;

/** Lays a drawing in stored coordinates over the image as a browser shows it. */
export const drawnAsShown = (orientation: number): string => showingOf(orientation).matrix;

/**
 * What CSS has to do to an image that a browser has turned already, so that the stored one is seen turned by so many degrees clockwise
 * and then flipped. (A page cannot ask for the stored one: of images from another origin browsers do not tell how they are stored.)
 */
export function transformOf(orientation: number, degrees: number, mirrored: boolean): string {
  const { flipped, turnedDegrees } = showingOf(orientation);
  const left = flipped
    ? [`rotate(${degrees}deg)`, 'scaleX(-1)', `rotate(${-turnedDegrees}deg)`]
    : [`rotate(${(degrees - turnedDegrees + 360) % 360}deg)`];
  return [...(mirrored ? ['scaleX(-1)'] : []), ...left].join(' ');
}

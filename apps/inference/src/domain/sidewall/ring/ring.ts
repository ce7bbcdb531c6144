import { median, type Field, type Point } from '../../field';
import { edgesOf, type Edges } from './edges';
import { coverage, ellipseDistance, fitEllipse, meanRadius, onEllipse, scaledEllipse, type Ellipse, type Points } from './ellipse';
import { resized } from '../enhance';
import { plausible, scaledRing, type RingShape } from './ring-shape';

/** The rubber between rim and outer edge as two concentric circles, in pixels of the field. */
export interface Ring {
  readonly x: number;
  readonly y: number;
  readonly inner: number;
  readonly outer: number;
  /** Mean share of the two circles that lies on edges along them, 0..1. */
  readonly score: number;
  /** The circle that is not visible and was placed at the usual distance. */
  readonly guessed?: 'inner' | 'outer';
}

/** The two best rings of an image. */
export interface Circles {
  /** The ring that looks most like rubber. */
  readonly dark: Found;
  /** The ring with the clearest edges. */
  readonly clear: Found;
  readonly edges: Edges;
}

interface Found {
  readonly ring: Ring;
  /** The criterion of the search. */
  readonly rating: number;
}

// Ratio of the outer diameter to the visible edge of the rim, for aspect ratios between 25 and 85 percent.
const SLIMMEST = 1.25;
const FATTEST = 1.8;
/** A circle with a smaller visible share is a guess and is replaced by one at the usual ratio. */
const MIN_VISIBLE_SHARE = 0.2;
const USUAL = 1.45;
/** Weight of a dark band beside the edges of two circles. */
const RUBBER = 0.3;

export interface Search {
  /** Radius of the smallest rim, as a share of the shorter side. */
  readonly smallestRim: number;
  /** Weight of a large ring: there are more circles inside the rubber. */
  readonly large: number;
}

/** The usual search. A rim below a fifth of the image leaves letters too small to read. */
const NEAR_BY: Search = { smallestRim: 0.2, large: 0.2 };

/** A wheel seen at an angle is a circle in a stretched image. The stretch is repeated as long as the wheel becomes clearer. */
const STRETCH = 1.12;
const MAX_STRETCHES = 3;
/** Bonus of the image without a stretch. */
const STRAIGHT = 0.05;
/** Rings that differ by less than this share show the same strip. */
const OTHER = 0.06;

/** From this score on, the ring is surely a whole wheel. */
export const CLEAR_RING = 0.5;

/** The ring that looks most like rubber, then the one with the clearest edges, where it is another one. */
export function findRings(field: Field): RingShape[] {
  const straight = findCircles(field);
  if (!straight) return [];
  const views: View[] = [{ field, circles: straight }];
  for (const isWide of [true, false]) {
    let clearest = straight.dark.rating;
    for (let times = 1; times <= MAX_STRETCHES; times++) {
      const by = STRETCH ** times;
      const [width, height] = isWide ? [field.width * by, field.height] : [field.width, field.height * by];
      const stretched = resized(field, Math.round(width), Math.round(height));
      const circles = findCircles(stretched);
      if (circles) views.push({ field: stretched, circles });
      if (!circles || circles.dark.rating <= clearest) break;
      clearest = circles.dark.rating;
    }
  }
  const best = (kind: 'dark' | 'clear'): RingShape => {
    const ratingOf = ({ circles }: View) => circles[kind].rating + (circles === straight ? STRAIGHT : 0);
    const view = views.reduce((most, one) => (ratingOf(one) > ratingOf(most) ? one : most));
    const ring = fittedRing(view.circles.edges, view.circles[kind].ring);
    return scaledRing(ring, field.width / view.field.width, field.height / view.field.height);
  };
  const [dark, clear] = [best('dark'), best('clear')];
  return differ(dark.inner, clear.inner) || differ(dark.outer, clear.outer) ? [dark, clear] : [dark];
}

interface View {
  readonly field: Field;
  readonly circles: Circles;
}

const EIGHTHS = Array.from({ length: 8 }, (_, i) => (i * Math.PI) / 4);
const differ = (a: Ellipse, b: Ellipse): boolean =>
  EIGHTHS.some((angle) => Math.abs(ellipseDistance(a, onEllipse(b, Math.cos(angle), Math.sin(angle))) - 1) > OTHER);

/**
 * Hough transform: every edge votes for the points along its gradient, and the centre of concentric circles collects most votes. Votes
 * begin at three quarters of the smallest rim's radius and end at three radii.
 */
export function findCircles(field: Field, { smallestRim, large }: Search = NEAR_BY): Circles | undefined {
  const edges = edgesOf(field);
  if (edges.count < 100) return undefined;
  const side = Math.min(field.width, field.height);
  const [smallest, largest] = [smallestRim * side, side / 2];
  const centre = findCentre(field, edges, smallest);
  const onCircle = circleShares(field, edges, centre);
  const darkUpTo = darkRadii(field, centre, onCircle.length);
  const best = (rubber: number): Found | undefined => {
    let found: Ring | undefined;
    let most = -1;
    for (let inner = Math.round(smallest); inner < onCircle.length; inner++) {
      for (let outer = Math.ceil(inner * SLIMMEST); outer < Math.min(onCircle.length, inner * FATTEST); outer++) {
        const score = (onCircle[inner]! + onCircle[outer]!) / 2;
        const darkness = (darkUpTo[outer]! - darkUpTo[inner]!) / (outer - inner);
        const rating = score + rubber * darkness + large * Math.min(1, outer / largest);
        if (rating <= most) continue;
        found = { ...centre, inner, outer, score };
        most = rating;
      }
    }
    return found && { ring: withGuess(field, found, onCircle), rating: most };
  };
  const [dark, clear] = [best(RUBBER), best(0)];
  return dark && clear && { dark, clear, edges };
}

/** `Math.hypot` takes several times as long, for numbers that are larger than any image. */
const distance = (dx: number, dy: number): number => Math.sqrt(dx * dx + dy * dy);

/** For each radius, how many circles up to it are darker than the image. Rubber is dark; the area between spokes and rim is not. */
function darkRadii({ width, height, data }: Field, centre: Point, count: number): Float64Array {
  const sums = new Float64Array(count);
  const pixels = new Float64Array(count);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const r = (distance(x - centre.x, y - centre.y) + 0.5) | 0;
      if (r >= count) continue;
      sums[r]! += data[y * width + x]!;
      pixels[r]!++;
    }
  }
  const sample = new Float32Array(Math.ceil(data.length / 7));
  for (let i = 0; i < sample.length; i++) sample[i] = data[7 * i]!;
  const usual = median(sample);
  let dark = 0;
  return sums.map((sum, r) => (dark += sum < usual * pixels[r]! ? 1 : 0));
}

/** With one visible circle, rubber is the darker side of it, at the usual width. */
function withGuess(field: Field, ring: Ring, onCircle: Float64Array): Ring {
  const isSeen = (radius: number) => onCircle[radius]! >= MIN_VISIBLE_SHARE;
  if (isSeen(ring.inner) === isSeen(ring.outer)) return ring;
  const radius = isSeen(ring.inner) ? ring.inner : ring.outer;
  const isInside = meanAround(field, ring, 0.75 * radius, 0.97 * radius) < meanAround(field, ring, 1.03 * radius, 1.3 * radius);
  return isInside
    ? { ...ring, inner: radius / USUAL, outer: radius, guessed: 'inner' }
    : { ...ring, inner: radius, outer: radius * USUAL, guessed: 'outer' };
}

function meanAround({ width, height, data }: Field, { x: centreX, y: centreY }: Ring, from: number, to: number): number {
  let sum = 0;
  let count = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const r = distance(x - centreX, y - centreY);
      if (r < from || r > to) continue;
      sum += data[y * width + x]!;
      count++;
    }
  }
  return count === 0 ? 255 : sum / count;
}

/** Votes this close to a point count for it. */
const ABOUT_PX = 3;

function findCentre({ width, height }: Field, edges: Edges, smallest: number): Point {
  const votes = new Uint16Array(width * height);
  const [near, far] = [0.75 * smallest, 3 * smallest];
  for (let i = 0; i < edges.count; i++) {
    const x = edges.x[i]!;
    const y = edges.y[i]!;
    for (let towards = 1; towards >= -1; towards -= 2) {
      const dx = towards * edges.dx[i]!;
      const dy = towards * edges.dy[i]!;
      const border = Math.min(distanceToBorder(x, dx, width), distanceToBorder(y, dy, height));
      for (let r = near; r <= far && r < border; r += 2) votes[((y + r * dy + 0.5) | 0) * width + ((x + r * dx + 0.5) | 0)]!++;
    }
  }
  return mostVoted(votes, width, height);
}

/** How far it is from a pixel to the end of the last pixel of its row or column, in units of `step`. */
const distanceToBorder = (from: number, step: number, length: number): number =>
  step > 0 ? (length - 0.5 - from) / step : (from + 0.5) / Math.abs(step);

/** The middle of the square with most votes. Squares at the border contain fewer votes. */
function mostVoted(votes: Uint16Array, width: number, height: number): Point {
  const side = 2 * ABOUT_PX + 1;
  const columns = new Int32Array(width);
  let [best, most]: [Point, number] = [{ x: width / 2, y: height / 2 }, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) columns[x]! += votes[y * width + x]! - (y < side ? 0 : votes[(y - side) * width + x]!);
    if (y < side - 1) continue;
    let sum = 0;
    for (let x = 0; x < width; x++) {
      sum += columns[x]! - (x < side ? 0 : columns[x - side]!);
      if (x >= side - 1 && sum > most) [best, most] = [{ x: x - ABOUT_PX, y: y - ABOUT_PX }, sum];
    }
  }
  return best;
}

function circleShares({ width, height }: Field, edges: Edges, centre: Point): Float64Array {
  const counts = new Float64Array(Math.ceil(0.62 * Math.max(width, height)));
  for (let i = 0; i < edges.count; i++) {
    const dx = edges.x[i]! - centre.x;
    const dy = edges.y[i]! - centre.y;
    const r = distance(dx, dy);
    if (r < 8 || r >= counts.length - 1) continue;
    if (Math.abs(dx * edges.dx[i]! + dy * edges.dy[i]!) / r > 0.92) counts[Math.round(r)]! += 1;
  }
  return counts.map((count, r) => {
    const near = (counts[r - 2] ?? 0) + (counts[r - 1] ?? 0) + count + (counts[r + 1] ?? 0) + (counts[r + 2] ?? 0);
    return r < 8 ? 0 : Math.min(1, near / (2 * 2 * Math.PI * r));
  });
}

/** A share of the radius. Edges this close may belong to the circle, seen at an angle. */
const NEAR = 0.12;
/** Tolerance of points on a fit, and by how much more of the directions an ellipse must cover than the circle. */
const CLOSE = 0.012;
const CLEARLY_MORE = 0.15;
const MAX_CENTRE_SHIFT = 0.15;

/** Replaces each circle by the ellipse on which the edges near it lie. A circle stays where no ellipse is clear. */
export function fittedRing(edges: Edges, ring: Ring): RingShape {
  const { score, guessed } = ring;
  const [seenInner, seenOuter] = [ring.inner, ring.outer].map((radius) => fittedCircle(edges, ring, radius)) as [Ellipse, Ellipse];
  const inner = guessed === 'inner' ? scaledEllipse(seenOuter, 1 / USUAL) : seenInner;
  const outer = guessed === 'outer' ? scaledEllipse(seenInner, USUAL) : seenOuter;
  // Both fits may have ended on one edge between them.
  if (plausible(inner, outer)) return { inner, outer, score };
  return { inner: circleOf(ring, ring.inner), outer: circleOf(ring, ring.outer), score };
}

const circleOf = ({ x, y }: Ring, radius: number): Ellipse => ({ x, y, xx: radius, xy: 0, yy: radius });

function fittedCircle(edges: Edges, ring: Ring, radius: number): Ellipse {
  const { x, y } = ring;
  const points = edgesAlong(edges, ring, radius);
  const circle = circleOf(ring, radius);
  const ellipse = fitEllipse(points);
  const isClear =
    ellipse !== undefined &&
    coverage(ellipse, points, CLOSE) > coverage(circle, points, CLOSE) + CLEARLY_MORE &&
    Math.abs(meanRadius(ellipse) / radius - 1) <= NEAR &&
    ellipseDistance(ellipse, { x, y }) <= MAX_CENTRE_SHIFT;
  return isClear ? ellipse : circle;
}

/** The edges that run along a circle, near it. */
function edgesAlong(edges: Edges, { x, y }: Point, radius: number): Points {
  const points = new Float64Array(2 * edges.count);
  let length = 0;
  for (let i = 0; i < edges.count; i++) {
    const dx = edges.x[i]! - x;
    const dy = edges.y[i]! - y;
    const r = distance(dx, dy);
    if (Math.abs(r / radius - 1) > NEAR) continue;
    if (Math.abs(dx * edges.dx[i]! + dy * edges.dy[i]!) / r <= 0.92) continue;
    points[length++] = edges.x[i]!;
    points[length++] = edges.y[i]!;
  }
  return points.subarray(0, length);
}

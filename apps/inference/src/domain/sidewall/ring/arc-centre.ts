import type { Field, Point } from '../../field';
import { edgesOf, type Edges } from './edges';

const SIDES = 48;
/** Distances of the centre from the middle of the image, as shares of its longer side. At the last one, arcs are nearly straight. */
const DISTANCES = [0.6, 0.8, 1.1, 1.5, 2, 3, 5, 10];
const MAX_EDGES = 4000;
/** Cosine of the largest angle between an edge's normal and the line to the centre. */
const ALONG = Math.cos((5 * Math.PI) / 180);
/** Around any point, one edge in eighteen runs by chance; around a point outside of a whole wheel, at most one in eight. */
const MIN_SHARE = 0.2;
const [FINER, ROUNDS] = [0.5, 5];

/**
 * The common centre of the arcs in a close-up: rim, ribs and lines of text are parts of circles around it. Far away where they are
 * straight.
 */
export function findArcCentre(field: Field): Point | undefined {
  const edges = edgesOf(field);
  if (edges.count < 100) return undefined;
  const [middle, side] = [{ x: field.width / 2, y: field.height / 2 }, Math.max(field.width, field.height)];
  const centreAt = (angle: number, distance: number): Point => ({
    x: middle.x + distance * side * Math.cos(angle),
    y: middle.y + distance * side * Math.sin(angle),
  });
  const candidate = (angle: number, distance: number) => {
    const centre = centreAt(angle, distance);
    return { angle, distance, share: isWithin(field, centre) ? 0 : shareAbout(edges, centre) };
  };
  const better = <One extends { share: number }>(a: One, b: One): One => (b.share > a.share ? b : a);
  let best = Array.from({ length: SIDES }, (_, i) => DISTANCES.map((distance) => candidate((i / SIDES) * 2 * Math.PI, distance)))
    .flat()
    .reduce(better);
  let [turn, further] = [Math.PI / SIDES, 1.16];
  for (let round = 0; round < ROUNDS; round++) {
    const { angle, distance } = best;
    const around = [
      [angle - turn, distance],
      [angle + turn, distance],
      [angle, distance * further],
      [angle, distance / further],
    ] as const;
    best = around.map(([a, d]) => candidate(a, d)).reduce(better, best);
    [turn, further] = [turn * FINER, further ** FINER];
  }
  return best.share >= MIN_SHARE ? centreAt(best.angle, best.distance) : undefined;
}

const isWithin = ({ width, height }: Field, { x, y }: Point): boolean => x >= 0 && y >= 0 && x <= width && y <= height;

/** The share of edges that run around a point. Compares squares: `Math.hypot` takes several times as long. */
function shareAbout(edges: Edges, { x, y }: Point): number {
  const step = Math.ceil(edges.count / MAX_EDGES);
  let about = 0;
  let all = 0;
  for (let i = 0; i < edges.count; i += step) {
    const dx = edges.x[i]! - x;
    const dy = edges.y[i]! - y;
    const along = dx * edges.dx[i]! + dy * edges.dy[i]!;
    all++;
    if (along * along > ALONG * ALONG * (dx * dx + dy * dy)) about++;
  }
  return about / all;
}

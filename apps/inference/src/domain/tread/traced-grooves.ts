import { emptyField, type Field } from '../field';
import { bandOf, wallsOf, type GrooveBand, type Walls } from './groove-band';
import { turned, type UprightFrame } from './upright-frame';
import type { TreadMaps } from './tread-maps';
import { bestPath, type Path } from './best-path';

export interface TraceThresholds {
  readonly minGroovePx: number;
  /** Relative to the longest groove, and to the one with the best score. */
  readonly minLengthShare: number;
  readonly minScoreShare: number;
  /** Minimum probability of a groove. */
  readonly minScore: number;
}

const MAX_GROOVES = 7;
/** Limit of the search: some lines are specks and slots. */
const MAX_LINES = 16;
/** A row counts above a probability of one half. A change of column costs a quarter, so that a line follows a bend but no slot. */
const TRACE = { bias: 0.5, stepPenalty: 0.25 };
const MIN_TREAD = 0.4;
/** A share of the frame's width. The line may be on either wall of its groove. */
const MAX_WIDTH_SHARE = 0.16;
/** Clears the surroundings of a traced line: a blurred wall is not a second groove. */
const [CLEAR_PX, CLEAR_ROWS] = [3, 4];

interface Traced {
  readonly path: Path;
  readonly walls: Walls;
}

/** The grooves of the upright frame from left to right. The longest lines are traced first, each with its full width. */
export function tracedGrooves(maps: TreadMaps, onTread: Field, frame: UprightFrame, thresholds: TraceThresholds): GrooveBand[] {
  const groove = turned(onTread, frame);
  const reach = Math.max(2, Math.round(MAX_WIDTH_SHARE * frame.width));
  const work = { ...groove, data: Float32Array.from(groove.data) };
  const lines: Traced[] = [];
  while (lines.length < MAX_LINES) {
    const path = bestPath(work, TRACE);
    if (!path || path.score < thresholds.minScoreShare * (lines[0]?.path.score ?? 0)) break;
    const walls = wallsOf(groove, path, reach);
    clear(work, path, walls);
    lines.push({ path, walls });
  }
  const longest = Math.max(0, ...lines.map(({ path }) => path.xs.length));
  return lines
    .filter(({ path }) => path.xs.length >= thresholds.minLengthShare * longest)
    .map(({ path, walls }) => bandOf(maps, frame, path.top, walls))
    .filter((band) => band !== undefined)
    .filter(({ pixels, score }) => pixels >= thresholds.minGroovePx && score >= thresholds.minScore)
    .slice(0, MAX_GROOVES)
    .sort((a, b) => middleOf(a) - middleOf(b));
}

const middleOf = ({ centres }: GrooveBand): number => centres[Math.floor(centres.length / 2)]!;

/** Groove probability, where there is tread. */
export function groovesOnTread({ tread, groove }: TreadMaps): Field {
  const field = emptyField(groove.width, groove.height);
  groove.data.forEach((value, i) => (field.data[i] = tread.data[i]! > MIN_TREAD ? value : 0));
  return field;
}

function clear({ width, height, data }: Field, { top, xs }: Path, walls: Walls): void {
  for (let row = Math.max(0, top - CLEAR_ROWS); row <= Math.min(height - 1, top + xs.length - 1 + CLEAR_ROWS); row++) {
    const i = Math.min(xs.length - 1, Math.max(0, row - top));
    const { left, right } = walls[i] ?? { left: xs[i]!, right: xs[i]! };
    const [from, to] = [Math.max(0, Math.floor(left) - CLEAR_PX), Math.min(width - 1, Math.ceil(right) + CLEAR_PX)];
    data.fill(-1, row * width + from, row * width + to + 1);
  }
}

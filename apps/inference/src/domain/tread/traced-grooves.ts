import { emptyField, type Field } from '../field';
import { bandOf, wallsOf, type GrooveBand, type Walls } from './groove-band';
import { turned, type UprightFrame } from './upright-frame';
import type { TreadMaps } from './tread-maps';
import { bestPath, type Path } from './best-path';

export interface TraceThresholds {
  readonly minGroovePx: number;
  /** Of the longest groove, and of the one that won by most. */
  readonly minLengthShare: number;
  readonly minScoreShare: number;
  /** Of a band: how sure the network is of what lies in it. */
  readonly minScore: number;
}

const MAX_GROOVES = 7;
/** Lines that are looked for: some are specks and slots. */
const MAX_LINES = 16;
/** A row counts for a groove above one half; a line that leaves its column pays a quarter, so that it follows a bend and no slot. */
const TRACE = { bias: 0.5, stepPenalty: 0.25 };
const MIN_TREAD = 0.4;
/** Of the frame's width: a line may lie on either wall of its groove. */
const MAX_WIDTH_SHARE = 0.16;
/** Around what was traced nothing else is: a blurred wall is no second groove. */
const [CLEAR_PX, CLEAR_ROWS] = [3, 4];

interface Traced {
  readonly path: Path;
  readonly walls: Walls;
}

/** The grooves of the upright frame, from left to right: longest lines first, each with all its width. */
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

/** Probability of a groove, where there is tread. */
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

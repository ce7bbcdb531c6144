import type { Field } from '../field';
import { bandOf, wallsOf, type GrooveBand, type Walls } from './groove-band';
import { turned, type UprightFrame } from './upright-frame';
import type { TreadMaps } from './tread-maps';
import { pathSearch, type Path, type PathSearch } from './best-path';

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
/** A share of the frame's width. The line may be on either wall of its groove. */
const MAX_WIDTH_SHARE = 0.16;
/** Clears the surroundings of a traced line: a blurred wall is not a second groove. */
const [CLEAR_PX, CLEAR_ROWS] = [3, 4];

/** Smaller lines are not even unclear grooves: shares of the best score and of the longest line, and pixels. */
const UNCLEAR = { scoreShare: 0.05, lengthShare: 0.1, pixels: 60 };

interface Traced {
  readonly path: Path;
  /** Undefined where nothing remains between the walls. */
  readonly band: GrooveBand | undefined;
}

/** The grooves of the upright frame from left to right. */
export const tracedGrooves = (maps: TreadMaps, onTread: Field, frame: UprightFrame, thresholds: TraceThresholds): GrooveBand[] =>
  groovesAmong(traced(maps, onTread, frame, thresholds.minScoreShare), thresholds);

/** The grooves, and the lines that are too weak, short or thin to be grooves. */
export function tracedLines(maps: TreadMaps, onTread: Field, frame: UprightFrame, thresholds: TraceThresholds) {
  const lines = traced(maps, onTread, frame, UNCLEAR.scoreShare);
  const best = lines[0]?.path.score ?? 0;
  const grooves = groovesAmong(
    lines.filter(({ path }) => path.score >= thresholds.minScoreShare * best),
    thresholds,
  );
  const minRows = UNCLEAR.lengthShare * longestOf(lines);
  const unclear = lines
    .filter(({ path }) => path.xs.length >= minRows)
    .flatMap(({ band }) => (band && band.pixels.length >= UNCLEAR.pixels && !grooves.includes(band) ? [band] : []));
  return { grooves, unclear };
}

/** The longest lines are traced first, each with its full width. */
function traced(maps: TreadMaps, onTread: Field, frame: UprightFrame, minScoreShare: number): Traced[] {
  const groove = turned(onTread, frame);
  const reach = Math.max(2, Math.round(MAX_WIDTH_SHARE * frame.width));
  const search = pathSearch({ ...groove, data: groove.data.slice() }, TRACE);
  const lines: Traced[] = [];
  const by = new Uint8Array(maps.groove.data.length);
  while (lines.length < MAX_LINES) {
    const path = search.best();
    if (!path || path.score < minScoreShare * (lines[0]?.path.score ?? 0)) break;
    const walls = wallsOf(groove, path, reach);
    clear(search, groove, path, walls);
    lines.push({ path, band: bandOf(maps, frame, path.top, walls, { by, line: lines.length + 1 }) });
  }
  return lines;
}

const longestOf = (lines: readonly Traced[]): number => Math.max(0, ...lines.map(({ path }) => path.xs.length));

function groovesAmong(lines: readonly Traced[], { minLengthShare, minGroovePx, minScore }: TraceThresholds): GrooveBand[] {
  const minRows = minLengthShare * longestOf(lines);
  return lines
    .flatMap(({ path, band }) => (band && path.xs.length >= minRows ? [band] : []))
    .filter(({ pixels, score }) => pixels.length >= minGroovePx && score >= minScore)
    .slice(0, MAX_GROOVES)
    .sort((a, b) => middleOf(a) - middleOf(b));
}

const middleOf = ({ centres }: GrooveBand): number => centres[Math.floor(centres.length / 2)]!;

function clear(search: PathSearch, { width, height }: Field, { top, xs }: Path, walls: Walls): void {
  for (let row = Math.max(0, top - CLEAR_ROWS); row <= Math.min(height - 1, top + xs.length - 1 + CLEAR_ROWS); row++) {
    const i = Math.min(xs.length - 1, Math.max(0, row - top));
    const { left, right } = walls[i] ?? { left: xs[i]!, right: xs[i]! };
    const [from, to] = [Math.max(0, Math.floor(left) - CLEAR_PX), Math.min(width - 1, Math.ceil(right) + CLEAR_PX)];
    search.clear(row, from, to);
  }
}

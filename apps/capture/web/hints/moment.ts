import type { Hint } from './hints';

/** How long a frame must be good until the shutter goes off by itself. */
const GOOD_MS = 900;
/** A hint that lasts no longer is not shown: text that flickers helps nobody. */
const STEADY_HINT_MS = 500;

export interface Moment {
  /** Since when the frames are good; null while they are not. */
  readonly goodSinceMs: number | null;
  readonly hint: Hint | null;
  readonly hintSinceMs: number;
  /** What is shown. */
  readonly shownHint: Hint | null;
}

export const firstMoment = (nowMs: number): Moment => ({ goodSinceMs: null, hint: null, hintSinceMs: nowMs, shownHint: null });

export function nextMoment(before: Moment, hint: Hint | null, nowMs: number): Moment {
  const hintSinceMs = hint === before.hint ? before.hintSinceMs : nowMs;
  const isSteady = nowMs - hintSinceMs >= STEADY_HINT_MS;
  return {
    goodSinceMs: hint === null ? (before.goodSinceMs ?? nowMs) : null,
    hint,
    hintSinceMs,
    shownHint: isSteady || before.shownHint === null ? hint : before.shownHint,
  };
}

/** 0 to 1; at 1 the photograph is taken. */
export const readiness = ({ goodSinceMs }: Moment, nowMs: number): number =>
  goodSinceMs === null ? 0 : Math.min(1, (nowMs - goodSinceMs) / GOOD_MS);

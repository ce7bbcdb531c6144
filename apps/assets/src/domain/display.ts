/** The derivatives of an image for people. If people would see a change, the recipe changes and all are made again, each at its next use. */
export const DISPLAY_RECIPE = 2;

/** The JPEG of 480 pixels before the WebP, because its bytes show how large a first WebP may be. */
export const DISPLAY_SIZES = ['large', 'small', 'thumbnail'] as const;
export type DisplaySize = (typeof DISPLAY_SIZES)[number];

export interface Derivative {
  readonly format: 'jpeg' | 'webp';
  readonly longSidePx: number;
  readonly quality: number;
  readonly bytesMax?: number;
}

/**
 * `large` is for the console. `small` is for paper, and for a page in a browser without WebP: 300 dpi in the size of a report. `thumbnail` is
 * what a page loads: eight of them take a slow phone less than three seconds. A photograph with much detail has fewer pixels.
 */
export const DISPLAY: Readonly<Record<DisplaySize, Derivative>> = {
  large: { format: 'jpeg', longSidePx: 1_600, quality: 75 },
  small: { format: 'jpeg', longSidePx: 480, quality: 80 },
  thumbnail: { format: 'webp', longSidePx: 960, quality: 60, bytesMax: 60_000 },
};

/** Derivatives that are made and recorded together: those of a page ahead of their use, `large` with the first use of the console. */
export type DisplaySet = 'page' | 'all';

const SIZES_OF: Readonly<Record<DisplaySet, readonly DisplaySize[]>> = { page: ['small', 'thumbnail'], all: DISPLAY_SIZES };

/**
 * The record of an image of which a set is stored. The release before sets records the recipe where all derivatives are stored, and makes
 * all of them where it finds another number.
 */
export const RECORD_OF: Readonly<Record<DisplaySet, number>> = { page: -DISPLAY_RECIPE, all: DISPLAY_RECIPE };

/** What is not stored of a set. */
export function missingOf(set: DisplaySet, record: number | null): readonly DisplaySize[] {
  const stored = (Object.keys(SIZES_OF) as DisplaySet[]).find((one) => RECORD_OF[one] === record);
  return SIZES_OF[set].filter((size) => !stored || !SIZES_OF[stored].includes(size));
}

/** The records of images of which the set is stored, alone or with other derivatives. */
export const recordsWith = (set: DisplaySet): readonly number[] =>
  Object.values(RECORD_OF).filter((record) => missingOf(set, record).length === 0);

/** An attempt counts before it begins, so one that takes its process down counts too. */
export const DISPLAY_TRIES_MAX = 3;

/** The end of a key below the prefix of its image. */
export const displayName = (size: DisplaySize): string => `${DISPLAY_RECIPE}-${size}.${DISPLAY[size].format === 'webp' ? 'webp' : 'jpg'}`;

/** The derivatives of an image for people. If one changes, the recipe changes and all derivatives are made again, each at its next use. */
export const DISPLAY_RECIPE = 2;

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

/** An attempt counts before it begins, so one that takes its process down counts too. */
export const DISPLAY_TRIES_MAX = 3;

/** The end of a key below the prefix of its image. */
export const displayName = (size: DisplaySize): string => `${DISPLAY_RECIPE}-${size}.${DISPLAY[size].format === 'webp' ? 'webp' : 'jpg'}`;

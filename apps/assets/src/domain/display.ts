/** The derivatives of an image for people. If a number changes, the recipe changes and all derivatives are made again. */
export const DISPLAY_RECIPE = 1;

export const DISPLAY_SIZES = ['large', 'small'] as const;
export type DisplaySize = (typeof DISPLAY_SIZES)[number];

/** `large` is for a page: the width of a phone in its own pixels, or a window. `small` is for paper: 300 dpi in the size of a report. */
export const DISPLAY: Readonly<Record<DisplaySize, { readonly longSidePx: number; readonly quality: number }>> = {
  large: { longSidePx: 1_600, quality: 75 },
  small: { longSidePx: 480, quality: 80 },
};

/** An attempt counts before it begins, so one that takes its process down counts too. */
export const DISPLAY_TRIES_MAX = 3;

/** The end of a key below the prefix of its image. */
export const displayName = (size: DisplaySize): string => `${DISPLAY_RECIPE}-${size}.jpg`;

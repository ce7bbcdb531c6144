/** JSON has no NaN and no infinity: a value that an engine could not measure is null. */
export const finite = (value: number | undefined): number | null => (value !== undefined && Number.isFinite(value) ? value : null);

export const outline = (points: readonly { readonly x: number; readonly y: number }[]): [number, number][] =>
  points.flatMap(({ x, y }): [number, number][] => (Number.isFinite(x) && Number.isFinite(y) ? [[withinImage(x), withinImage(y)]] : []));

/** Normalized coordinates end at the border of the image. Rounding may put a mask that touches the border slightly outside. */
export const withinImage = (normalized: number): number => Math.min(1, Math.max(0, normalized));

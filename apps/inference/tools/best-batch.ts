/** In a larger batch the first image waits for the last: each size must bring a tenth more than the size before it. */
const WORTH = 1.1;

export function bestBatch(curve: readonly { readonly size: number; readonly pictures_per_s: number }[]): number {
  const bySize = [...curve].sort((a, b) => a.size - b.size);
  return bySize.reduce(
    (best, point) => (point.pictures_per_s >= WORTH * best.pictures_per_s ? point : best),
    bySize[0] ?? { size: 1, pictures_per_s: 0 },
  ).size;
}

/** While a result is expected. */
const SOON_MS = 1_500;
const LATER_MS = 10_000;
/** Another phone may be at the same report. */
const IDLE_MS = 30_000;
/** So many quick looks, then each wait is half as long again. */
const QUICK_LOOKS = 8;

export function pollAfterMs(isPending: boolean, looksInARow: number): number {
  if (!isPending) return IDLE_MS;
  return Math.min(LATER_MS, SOON_MS * 1.5 ** Math.max(0, looksInARow - QUICK_LOOKS));
}

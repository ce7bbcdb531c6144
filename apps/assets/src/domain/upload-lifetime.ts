/** How long an upload address is valid. */
export const UPLOAD_LIFETIME_SECONDS = 7_200;

/** For a PUT that began just before its address expired, and for different clocks. */
const MARGIN_SECONDS = 900;

/** From this time on no upload can arrive through addresses that were issued before the discard. */
export const sweepAfter = (discardedAt: Date): Date => new Date(discardedAt.getTime() + (UPLOAD_LIFETIME_SECONDS + MARGIN_SECONDS) * 1000);

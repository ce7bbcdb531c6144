/** Remaining kilometres at 1.2 mm per 10,000 km down to the legal limit of 1.6 mm. */
export const lifetimeKm = (depthMm: number): number => Math.max(0, Math.round(((depthMm - 1.6) / 1.2) * 10_000));

const BYTES_PER_PLACE = 32 * 1024;
/** Of the largest body that is accepted, and of one whose length is not known beforehand. */
const PLACES_MAX = 8;

/** How many places a body takes until it has arrived: it may fill so much memory. 0: there is no body. */
export function bodyPlaces(headers: { 'content-length'?: string; 'transfer-encoding'?: string }): number {
  if (headers['transfer-encoding'] !== undefined) return PLACES_MAX;
  return Math.min(PLACES_MAX, Math.ceil(Number(headers['content-length'] ?? 0) / BYTES_PER_PLACE));
}

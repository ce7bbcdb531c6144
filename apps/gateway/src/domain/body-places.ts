const BYTES_PER_PLACE = 32 * 1024;

/**
 * The number of places that a body takes until it has arrived, because it may fill that memory. 0: there is no body. One of unknown length
 * takes the places of the largest body that is accepted.
 */
export function bodyPlaces(headers: { 'content-length'?: string; 'transfer-encoding'?: string }, bytesMax: number): number {
  const placesMax = Math.ceil(bytesMax / BYTES_PER_PLACE);
  if (headers['transfer-encoding'] !== undefined) return placesMax;
  return Math.min(placesMax, Math.ceil(Number(headers['content-length'] ?? 0) / BYTES_PER_PLACE));
}

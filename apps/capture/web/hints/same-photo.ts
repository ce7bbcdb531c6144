import { hashDistance, NEAR_COPY_BITS } from '@tire/kernel/image-hash';
import type { Frame } from './frame';

/** Cells of the image. Each bit compares two neighbours in a row. */
const [ACROSS, DOWN] = [9, 8];

/** The difference hash that the service makes of a measured image too: 64 bits as 16 hex digits. */
export function hashOf({ width, height, luma }: Frame): string {
  const [sums, counts] = [new Float64Array(ACROSS * DOWN), new Float64Array(ACROSS * DOWN)];
  for (let y = 0, i = 0; y < height; y++) {
    const first = Math.floor(((y + 0.5) / height) * DOWN) * ACROSS;
    for (let x = 0; x < width; x++, i++) {
      const cell = first + Math.floor(((x + 0.5) / width) * ACROSS);
      sums[cell]! += luma[i]!;
      counts[cell]!++;
    }
  }
  let hash = 0n;
  const mean = (cell: number) => sums[cell]! / Math.max(1, counts[cell]!);
  for (let y = 0; y < DOWN; y++)
    for (let x = 1; x < ACROSS; x++) hash = (hash << 1n) | BigInt(mean(y * ACROSS + x) > mean(y * ACROSS + x - 1) ? 1 : 0);
  return hash.toString(16).padStart(16, '0');
}

export const isSamePhoto = (a: string, b: string): boolean => hashDistance(a, b) <= NEAR_COPY_BITS;

import type { Point } from '../../src/domain/field';

/** For each pixel, the number (from one) of the last polygon that contains its centre, 0 for none. Corners are shares of the sides. */
export function filled(polygons: readonly (readonly Point[])[], width: number, height: number): Uint8Array {
  const image = new Uint8Array(width * height);
  polygons.forEach((polygon, i) => {
    for (let y = 0; y < height; y++) {
      const crossed = crossings(polygon, (y + 0.5) / height);
      for (let k = 0; k + 1 < crossed.length; k += 2) {
        const [from, to] = [crossed[k]!, crossed[k + 1]!].map((x) => Math.min(width, Math.max(0, Math.ceil(x * width - 0.5))));
        image.fill(i + 1, y * width + from!, y * width + to!);
      }
    }
  });
  return image;
}

/** Where a row crosses the edges of a polygon, from left to right. */
function crossings(polygon: readonly Point[], y: number): number[] {
  const found: number[] = [];
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length]!;
    if (a.y > y !== b.y > y) found.push(a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x));
  });
  return found.sort((a, b) => a - b);
}

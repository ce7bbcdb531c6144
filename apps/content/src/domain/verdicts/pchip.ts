type Point = readonly [x: number, y: number];

/** Piecewise cubic Hermite interpolation (Fritsch and Butland): passes the points and never overshoots between them. */
export function monotoneCubic(points: readonly Point[], x: number): number {
  const after = points.findIndex(([pointX], index) => index > 0 && x <= pointX);
  const index = after === -1 ? points.length - 2 : after - 1;
  const [x0, y0] = points[index]!;
  const [x1, y1] = points[index + 1]!;
  const width = x1 - x0;
  const t = (x - x0) / width;
  const slopes = tangents(points);
  const t2 = t * t;
  const t3 = t2 * t;
  return (
    (2 * t3 - 3 * t2 + 1) * y0 +
    (t3 - 2 * t2 + t) * width * slopes[index]! +
    (-2 * t3 + 3 * t2) * y1 +
    (t3 - t2) * width * slopes[index + 1]!
  );
}

function tangents(points: readonly Point[]): number[] {
  const widths = points.slice(1).map(([x], i) => x - points[i]![0]);
  const deltas = points.slice(1).map(([, y], i) => (y - points[i]![1]) / widths[i]!);
  const inner = deltas.slice(1).map((delta, i) => {
    const before = deltas[i]!;
    if (before * delta <= 0) return 0;
    const weightBefore = 2 * widths[i + 1]! + widths[i]!;
    const weightAfter = widths[i + 1]! + 2 * widths[i]!;
    return (weightBefore + weightAfter) / (weightBefore / before + weightAfter / delta);
  });
  const n = deltas.length;
  const first = endTangent(widths[0]!, widths[1]!, deltas[0]!, deltas[1]!);
  const last = endTangent(widths[n - 1]!, widths[n - 2]!, deltas[n - 1]!, deltas[n - 2]!);
  return [first, ...inner, last];
}

function endTangent(width: number, nextWidth: number, delta: number, nextDelta: number): number {
  const slope = ((2 * width + nextWidth) * delta - width * nextDelta) / (width + nextWidth);
  if (Math.sign(slope) !== Math.sign(delta)) return 0;
  if (Math.sign(delta) !== Math.sign(nextDelta) && Math.abs(slope) > 3 * Math.abs(delta)) return 3 * delta;
  return slope;
}

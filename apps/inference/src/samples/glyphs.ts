/** Letter shapes as strokes in a box one unit high, x to the right and y down, so that samples need no font. */
type Stroke = readonly (readonly [number, number])[];

const arc = (cx: number, cy: number, rx: number, ry: number, from: number, to: number): Stroke =>
  Array.from({ length: 17 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / 16) * Math.PI) / 180;
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)] as const;
  });

const line = (x1: number, y1: number, x2: number, y2: number): Stroke => [
  [x1, y1],
  [x2, y2],
];

const GLYPHS: Record<string, { width: number; strokes: readonly Stroke[] }> = {
  '0': { width: 0.6, strokes: [arc(0.3, 0.5, 0.25, 0.45, 0, 360)] },
  '1': {
    width: 0.45,
    strokes: [
      [
        [0.08, 0.22],
        [0.28, 0.05],
        [0.28, 0.95],
      ],
    ],
  },
  '2': {
    width: 0.6,
    strokes: [
      [...arc(0.3, 0.3, 0.24, 0.25, 190, 385), [0.06, 0.95]],
      [
        [0.06, 0.95],
        [0.56, 0.95],
      ],
    ],
  },
  '3': { width: 0.6, strokes: [arc(0.28, 0.28, 0.23, 0.23, 200, 450), arc(0.28, 0.72, 0.25, 0.23, 270, 520)] },
  '4': {
    width: 0.62,
    strokes: [
      [
        [0.44, 0.95],
        [0.44, 0.05],
        [0.05, 0.7],
        [0.58, 0.7],
      ],
    ],
  },
  '5': {
    width: 0.6,
    strokes: [
      [
        [0.52, 0.05],
        [0.12, 0.05],
        [0.09, 0.45],
      ],
      arc(0.28, 0.66, 0.25, 0.28, 225, 500),
    ],
  },
  '6': {
    width: 0.6,
    strokes: [
      arc(0.3, 0.67, 0.24, 0.28, 0, 360),
      [
        [0.07, 0.62],
        [0.16, 0.28],
        [0.42, 0.05],
      ],
    ],
  },
  '7': {
    width: 0.6,
    strokes: [
      [
        [0.06, 0.05],
        [0.55, 0.05],
        [0.2, 0.95],
      ],
    ],
  },
  '8': { width: 0.6, strokes: [arc(0.3, 0.28, 0.2, 0.22, 0, 360), arc(0.3, 0.73, 0.25, 0.23, 0, 360)] },
  '9': {
    width: 0.6,
    strokes: [
      arc(0.3, 0.33, 0.24, 0.28, 0, 360),
      [
        [0.53, 0.38],
        [0.44, 0.72],
        [0.18, 0.95],
      ],
    ],
  },
  '/': {
    width: 0.5,
    strokes: [
      [
        [0.05, 0.98],
        [0.45, 0.02],
      ],
    ],
  },
  '.': {
    width: 0.2,
    strokes: [
      [
        [0.09, 0.93],
        [0.11, 0.93],
      ],
    ],
  },
  R: {
    width: 0.64,
    strokes: [
      [[0.09, 0.95], [0.09, 0.05], [0.32, 0.05], ...arc(0.34, 0.29, 0.21, 0.24, -90, 90), [0.09, 0.53]],
      [
        [0.32, 0.53],
        [0.58, 0.95],
      ],
    ],
  },
  H: { width: 0.64, strokes: [line(0.09, 0.05, 0.09, 0.95), line(0.55, 0.05, 0.55, 0.95), line(0.09, 0.5, 0.55, 0.5)] },
  T: { width: 0.6, strokes: [line(0.03, 0.05, 0.57, 0.05), line(0.3, 0.05, 0.3, 0.95)] },
  V: { width: 0.62, strokes: [line(0.04, 0.05, 0.31, 0.95), line(0.31, 0.95, 0.58, 0.05)] },
  ' ': { width: 0.35, strokes: [] },
};

const GAP = 0.14;

/** Length of a line of text, and the distance from a point to its nearest stroke, both in letter heights. */
export function lettering(text: string, gap = GAP): { length: number; distance(x: number, y: number): number } {
  let length = 0;
  const segments: (readonly [number, number, number, number])[] = [];
  for (const character of text) {
    const glyph = GLYPHS[character];
    if (!glyph) throw new Error(`no glyph for ${character}`);
    for (const stroke of glyph.strokes) {
      stroke.slice(1).forEach(([x, y], i) => segments.push([stroke[i]![0] + length, stroke[i]![1], x + length, y]));
    }
    length += glyph.width + gap;
  }
  const distance = (x: number, y: number): number => {
    let best = Infinity;
    for (const [x1, y1, x2, y2] of segments) {
      if (x < Math.min(x1, x2) - 0.3 || x > Math.max(x1, x2) + 0.3) continue;
      const [dx, dy] = [x2 - x1, y2 - y1];
      const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
      best = Math.min(best, Math.hypot(x - x1 - along * dx, y - y1 - along * dy));
    }
    return best;
  };
  return { length: length - gap, distance };
}

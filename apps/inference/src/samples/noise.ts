/** Random numbers 0..1 from a seed, equal on every machine. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Gaussian bytes around 128, two at a time (Box-Muller). */
export function gaussianNoise(random: () => number, count: number, sigma: number): Uint8ClampedArray {
  const bytes = new Uint8ClampedArray(count);
  for (let i = 0; i < count; i += 2) {
    const [far, turn] = [sigma * Math.sqrt(-2 * Math.log(1 - random())), 2 * Math.PI * random()];
    bytes[i] = 128 + far * Math.cos(turn);
    if (i + 1 < count) bytes[i + 1] = 128 + far * Math.sin(turn);
  }
  return bytes;
}

/** Smooth noise of -1..1 with features of about `cell` units. */
export function valueNoise(random: () => number, cell: number): (x: number, y: number) => number {
  const size = 128;
  const lattice = Float32Array.from({ length: size * size }, () => random() * 2 - 1);
  const at = (x: number, y: number) => lattice[(y & (size - 1)) * size + (x & (size - 1))]!;
  return (x, y) => {
    const [cx, cy] = [x / cell, y / cell];
    const [ix, iy] = [Math.floor(cx), Math.floor(cy)];
    const [fx, fy] = [cx - ix, cy - iy];
    const [sx, sy] = [fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)];
    const above = at(ix, iy) * (1 - sx) + at(ix + 1, iy) * sx;
    return above * (1 - sy) + (at(ix, iy + 1) * (1 - sx) + at(ix + 1, iy + 1) * sx) * sy;
  };
}

export const smoothstep = (from: number, to: number, x: number): number => {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
};

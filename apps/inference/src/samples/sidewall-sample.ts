import { paint, type Colour } from './canvas';
import { lettering } from './glyphs';
import { seeded, smoothstep, valueNoise } from './noise';

/** One line of text on a wheel. */
export interface Lettering {
  readonly size: string;
  /** Angle of the lettering's middle, clockwise from the top. */
  readonly placeDeg: number;
  /** In pixels of the wheel. */
  readonly letterHeight?: number;
  /** Between two letters, in letter heights. */
  readonly gap?: number;
}

export interface SidewallScene extends Lettering {
  readonly seed: number;
  readonly spokes: number;
  /** Height of the letters; 1 by default. */
  readonly relief?: number;
  /** Other lines of the same wheel. */
  readonly others?: readonly Lettering[];
}

/** Geometry of the wheel in pixels. */
export const WHEEL = { side: 1100, outer: 505, inner: 352, letterHeight: 44, letterRadius: 428 } as const;
const { side: SIDE, outer: OUTER, inner: INNER, letterHeight: LETTER_HEIGHT, letterRadius: LETTER_RADIUS } = WHEEL;
const STROKE = 0.085;

/**
 * Shading of the letters: the face is a little lighter, the flank towards the light is bright, the other one dark. Undefined outside the
 * text.
 */
export function lettersOf({
  size,
  placeDeg,
  letterHeight = LETTER_HEIGHT,
  gap,
}: Lettering): (r: number, angle: number) => number | undefined {
  const text = lettering(size, gap);
  const middle = ((placeDeg - 90) * Math.PI) / 180;
  const height = (x: number, y: number) => 1 - smoothstep(STROKE * 0.7, STROKE * 1.3, text.distance(x, y));
  return (r, angle) => {
    const turn = Math.atan2(Math.sin(angle - middle), Math.cos(angle - middle));
    const x = (turn * LETTER_RADIUS) / letterHeight + text.length / 2;
    const y = (LETTER_RADIUS + letterHeight / 2 - r) / letterHeight;
    if (x < -0.2 || x > text.length + 0.2 || y < -0.2 || y > 1.2) return undefined;
    return height(x, y) + height(x, y + 0.03) - height(x, y - 0.03);
  };
}

/** A wheel from the side: rim, black rubber, and the size as raised letters along a circle. */
export function renderSidewall(scene: SidewallScene): Promise<Buffer> {
  const random = seeded(scene.seed);
  const [grain, dust, ground] = [1.5, 70, 6].map((cell) => valueNoise(random, cell));
  const raised = scene.relief ?? 1;
  const lines = [scene, ...(scene.others ?? [])].map(lettersOf);
  const letters = (r: number, angle: number) => lines.reduce<number | undefined>((shade, line) => shade ?? line(r, angle), undefined);

  const rim = (r: number, angle: number): Colour => {
    const spoke = smoothstep(-0.15, 0.15, Math.cos(angle * scene.spokes) + 0.2);
    const lip = smoothstep(INNER - 26, INNER - 20, r);
    const hub = 1 - smoothstep(70, 76, r);
    const light = 0.03 + 0.42 * Math.max(spoke, lip, hub) * (0.8 + 0.2 * Math.sin(angle + 1));
    return [light, light, light * 1.03];
  };
  const rubber = (x: number, y: number, r: number, angle: number): Colour => {
    const shoulder = 1 - 0.4 * smoothstep(OUTER - 25, OUTER, r);
    const rings = 1 + 0.1 * Math.exp(-(((r - INNER - 18) / 3) ** 2)) + 0.12 * Math.exp(-(((r - OUTER + 30) / 3) ** 2));
    const light =
      0.045 *
      shoulder *
      rings *
      (1 + 0.25 * Math.cos(angle + 2)) *
      (1 + 0.1 * grain!(x, y) + 0.12 * dust!(x, y)) *
      (1 + 0.9 * raised * (letters(r, angle) ?? 0));
    return [light * 1.02, light, light * 0.98];
  };
  return paint(
    SIDE,
    SIDE,
    (x, y) => {
      const [dx, dy] = [x - SIDE / 2, y - SIDE / 2];
      const [r, angle] = [Math.hypot(dx, dy), Math.atan2(dy, dx)];
      if (r < INNER) return rim(r, angle);
      if (r < OUTER) return rubber(x, y, r, angle);
      const light = y < SIDE * 0.75 ? 0.02 + 0.01 * dust!(x, y) : 0.25 + 0.07 * ground!(x, y);
      return [light, light, light];
    },
    95,
  );
}

import { paint, type Colour } from './canvas';
import { seeded, smoothstep, valueNoise } from './noise';

export interface TreadScene {
  readonly seed: number;
  /** From left to right. */
  readonly depthsMm: readonly number[];
  readonly tiltDeg: number;
}

const WIDTH = 900;
const HEIGHT = 1200;
const TREAD_WIDTH_MM = 205;
/** Grooves taper: the deeper the tire still is, the wider they are at the top. */
const grooveWidthMm = (depthMm: number) => 5 + 0.6 * depthMm;
const PX_PER_MM = 3.4;
/** Light that reaches a groove's floor by way of its walls. */
const WALL_LIGHT = 0.05;

/** The sky that a point on the floor sees between two walls. */
const skyShare = (toLeft: number, toRight: number, depthMm: number) =>
  (toLeft / Math.hypot(toLeft, depthMm) + toRight / Math.hypot(toRight, depthMm)) / 2;

/** Ribs of rubber with straight grooves, seen from in front under an even sky; the shade in each groove follows from its depth. */
export function renderTread(scene: TreadScene): Promise<Buffer> {
  const random = seeded(scene.seed);
  const [grain, patches, ground, pebbles] = [1.4, 60, 5, 90].map((cell) => valueNoise(random, cell));
  const count = scene.depthsMm.length;
  const centres = scene.depthsMm.map((_, i) => ((i + 1) / (count + 1) - 0.5) * TREAD_WIDTH_MM * 0.95);
  const [cos, sin] = [Math.cos((scene.tiltDeg * Math.PI) / 180), Math.sin((scene.tiltDeg * Math.PI) / 180)];

  const asphalt = (x: number, y: number): Colour => {
    const light = 0.42 + 0.1 * ground!(x, y) + 0.06 * pebbles!(x, y);
    return [light * 1.02, light, light * 0.95];
  };
  const shadeAt = (u: number, v: number): number => {
    for (const [i, centre] of centres.entries()) {
      const depthMm = scene.depthsMm[i]!;
      const halfMm = grooveWidthMm(depthMm) / 2;
      const [toLeft, toRight] = [u - centre + halfMm, centre + halfMm - u];
      const inside = smoothstep(-0.3, 0.3, Math.min(toLeft, toRight));
      if (inside === 0) continue;
      const floor = WALL_LIGHT + (1 - WALL_LIGHT) * skyShare(Math.max(0.7 * halfMm, toLeft), Math.max(0.7 * halfMm, toRight), depthMm);
      return 1 - inside * (1 - floor);
    }
    const sipe = Math.abs(((v + 6 * Math.sin(u / 9) + 4000) % 27) - 13.5);
    return 1 - 0.3 * (1 - smoothstep(0.2, 0.7, sipe)) * smoothstep(3, 6, Math.abs(Math.sin(u / 14)) * 10);
  };
  return paint(
    WIDTH,
    HEIGHT,
    (x, y) => {
      const [dx, dy] = [x - WIDTH / 2, y - HEIGHT / 2];
      const u = (dx * cos + dy * sin) / PX_PER_MM;
      const v = (dy * cos - dx * sin) / PX_PER_MM;
      const side = Math.abs(u) / (TREAD_WIDTH_MM / 2);
      if (side > 1) return asphalt(x, y);
      const carcass = (1 - 0.35 * side ** 3) * (1 - smoothstep(0.96, 1, side) * 0.5) * (1 - 0.15 * Math.abs(v / 180) ** 2);
      const rubber = 0.15 * carcass * (1 + 0.08 * grain!(x, y) + 0.07 * patches!(x, y)) * shadeAt(u, v);
      return [rubber, rubber * 0.99, rubber * 0.98];
    },
    90,
  );
}

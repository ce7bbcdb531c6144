import type { Point } from '../../field';
import type { TextBox } from './text-boxes';

interface Extent {
  readonly width: number;
  readonly height: number;
}

/** From a point of a text view to the image, both in pixels. */
export type ToImage = (point: Point) => Point;

const STEPS = 8;
const share = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1e5) / 1e5;

/**
 * The outline of a line of text, along its top and back along its bottom, as bent as in the image. Coordinates are shares of the image's
 * sides.
 */
export function outlineOf({ x, y, length, height, angleRad }: TextBox, toImage: ToImage, image: Extent): Point[] {
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  const at = (along: number, across: number): Point => {
    const [u, v] = [(along - 0.5) * length, (across - 0.5) * height];
    const point = toImage({ x: x + u * cos - v * sin, y: y + u * sin + v * cos });
    return { x: share((point.x + 0.5) / image.width), y: share((point.y + 0.5) / image.height) };
  };
  const steps = Array.from({ length: STEPS + 1 }, (_, i) => i / STEPS);
  return [...steps.map((along) => at(along, 0)), ...steps.map((along) => at(1 - along, 1))];
}

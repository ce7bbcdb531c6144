import { emptyField, type Field } from '../../field';
import { clamped } from '../enhance';

/** A rotated box around a line of text, in pixels of the searched field. */
export interface TextBox {
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly height: number;
  readonly angleRad: number;
}

/**
 * Connected areas of text probability, each grown by the margin that the detector was trained to omit; neighbours on one line are joined in
 * addition.
 */
export function textBoxes(probability: Field, threshold: number, minHeight: number): TextBox[] {
  const boxes = components(probability, threshold)
    .map(boxAround)
    .filter((box) => box.height >= minHeight);
  const pairs = joined(boxes, boxes);
  return [...boxes, ...pairs, ...joined(pairs, boxes)];
}

/** The points of each area: x and y in turn. */
function components({ width, height, data }: Field, threshold: number): Int32Array[] {
  const isFree = new Uint8Array(width * height);
  for (let at = 0; at < data.length; at++) isFree[at] = data[at]! < threshold ? 0 : 1;
  const found: Int32Array[] = [];
  const pixels = new Int32Array(width * height);
  for (let start = isFree.indexOf(1); start >= 0; start = isFree.indexOf(1, start)) {
    let count = 0;
    const reach = (at: number) => {
      if (!isFree[at]) return;
      isFree[at] = 0;
      pixels[count++] = at;
    };
    reach(start);
    for (let i = 0; i < count; i++) {
      const at = pixels[i]!;
      const x = at % width;
      if (x > 0) reach(at - 1);
      if (x < width - 1) reach(at + 1);
      reach(at - width);
      reach(at + width);
    }
    if (count >= 12) found.push(pointsOf(pixels.subarray(0, count), width));
  }
  return found;
}

function pointsOf(pixels: Int32Array, width: number): Int32Array {
  const points = new Int32Array(2 * pixels.length);
  for (let i = 0; i < pixels.length; i++) {
    points[2 * i] = pixels[i]! % width;
    points[2 * i + 1] = Math.floor(pixels[i]! / width);
  }
  return points;
}

function boxAround(points: Int32Array): TextBox {
  const n = points.length / 2;
  let mx = 0;
  let my = 0;
  for (let i = 0; i < n; i++) {
    mx += points[2 * i]! / n;
    my += points[2 * i + 1]! / n;
  }
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let i = 0; i < n; i++) {
    const dx = points[2 * i]! - mx;
    const dy = points[2 * i + 1]! - my;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const angleRad = Math.atan2(2 * xy, xx - yy) / 2;
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < n; i++) {
    const dx = points[2 * i]! - mx;
    const dy = points[2 * i + 1]! - my;
    const u = dx * cos + dy * sin;
    const v = dy * cos - dx * sin;
    left = Math.min(left, u);
    right = Math.max(right, u);
    top = Math.min(top, v);
    bottom = Math.max(bottom, v);
  }
  const [length, height] = [right - left + 1, bottom - top + 1];
  const grow = (0.75 * length * height) / (length + height);
  const [u, v] = [(left + right) / 2, (top + bottom) / 2];
  return { x: mx + u * cos - v * sin, y: my + u * sin + v * cos, length: length + 2 * grow, height: height + 2 * grow, angleRad };
}

/** Detectors split lines: `225`, `/45`, `R17`. A row above another one overlaps it and is not joined. */
function joined(lefts: readonly TextBox[], rights: readonly TextBox[]): TextBox[] {
  const pairs: TextBox[] = [];
  for (const a of lefts) {
    for (const b of rights) {
      if (a.x >= b.x) continue;
      const gap = Math.hypot(b.x - a.x, b.y - a.y) - (a.length + b.length) / 2;
      const angleRad = Math.atan2(b.y - a.y, b.x - a.x);
      const ratio = a.height / b.height;
      const longer = a.length > b.length ? a : b;
      if (gap > 1.2 * Math.max(a.height, b.height) || gap < -0.5 * Math.max(a.height, b.height)) continue;
      if (ratio > 1.8 || ratio < 0.55 || Math.abs(angleRad - longer.angleRad) > 0.25) continue;
      const shift = (b.length - a.length) / 4;
      const [x, y] = [(a.x + b.x) / 2 + shift * Math.cos(angleRad), (a.y + b.y) / 2 + shift * Math.sin(angleRad)];
      pairs.push({ x, y, length: a.length + b.length + Math.max(0, gap), height: Math.max(a.height, b.height), angleRad });
    }
  }
  return pairs;
}

/** The same box at another scale. Lines are nearly horizontal, so length scales with x and height with y. */
export const scaledBox = ({ x, y, length, height, angleRad }: TextBox, scaleX: number, scaleY: number): TextBox => ({
  x: (x + 0.5) * scaleX - 0.5,
  y: (y + 0.5) * scaleY - 0.5,
  length: length * scaleX,
  height: height * scaleY,
  angleRad,
});

/** The width of a crop of this height. */
export const widthOf = (box: TextBox, height: number, maxWidth: number): number =>
  Math.min(maxWidth, Math.max(height, Math.round((box.length * height) / box.height)));

/** The line of text as a horizontal crop. Shrinking takes the average. Interpolates like `clamped`, but within the loop. */
export function cutOut(field: Field, box: TextBox, width: number, height: number): Field {
  const steps = Math.max(1, Math.round(box.height / height));
  const crop = emptyField(width, height);
  const [cos, sin] = [Math.cos(box.angleRad), Math.sin(box.angleRad)];
  const along = offsets(width, steps, box.length);
  const across = offsets(height, steps, box.height);
  const [alongX, alongY] = [along.map((u) => box.x + u * cos), along.map((u) => box.y + u * sin)];
  const { data, width: stride } = field;
  const [lastX, lastY] = [field.width - 1, field.height - 1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let j = y * steps; j < (y + 1) * steps; j++) {
        const acrossX = across[j]! * sin;
        const acrossY = across[j]! * cos;
        for (let i = x * steps; i < (x + 1) * steps; i++) {
          const cx = alongX[i]! - acrossX;
          const cy = alongY[i]! + acrossY;
          if (cx >= 0 && cy >= 0 && cx < lastX && cy < lastY) {
            const left = cx | 0;
            const top = cy | 0;
            const fx = cx - left;
            const fy = cy - top;
            const at = top * stride + left;
            const above = data[at]! * (1 - fx) + data[at + 1]! * fx;
            sum += above * (1 - fy) + (data[at + stride]! * (1 - fx) + data[at + stride + 1]! * fx) * fy;
          } else sum += clamped(field, cx, cy);
        }
      }
      crop.data[y * width + x] = sum / (steps * steps);
    }
  }
  return crop;
}

/** Distances from the middle of a side, at the middle of each step of each pixel. */
function offsets(pixels: number, steps: number, length: number): Float64Array {
  const distances = new Float64Array(pixels * steps);
  for (let i = 0; i < distances.length; i++) distances[i] = ((Math.floor(i / steps) + ((i % steps) + 0.5) / steps) / pixels - 0.5) * length;
  return distances;
}

const STEPS = 9;

/** Mean of a map along the middle line of a text, without its ends. */
export function meanAlong(map: Field, { x, y, length, angleRad }: TextBox): number {
  let sum = 0;
  for (let i = 0; i < STEPS; i++) {
    const along = (i / (STEPS - 1) - 0.5) * 0.8 * length;
    sum += clamped(map, x + along * Math.cos(angleRad), y + along * Math.sin(angleRad));
  }
  return sum / STEPS;
}

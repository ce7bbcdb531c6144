import { quantile } from '../field';
import { groovesOnTread } from './grooves-on-tread';
import { TREAD, type TreadMaps } from './tread-maps';

/** A part of which less than this share lies in front of or behind the largest one is beside it. */
const IN_LINE = 0.5;
/** One pixel in twenty at each end may be stray. */
const STRAY = 0.05;

/**
 * The maps with the tread of one tire only: the network also marks tires that stand beside it on an axle or rack. The largest part of the tread
 * stays, and what lies in front of it or behind it along the tire, as where a strap or a hand divides it.
 */
export function mainTread(maps: TreadMaps): TreadMaps {
  const [largest, ...others] = partsOf(maps);
  if (!largest || others.length === 0) return maps;
  const across = acrossOf(maps);
  const main = spanOf(largest, across);
  const beside = others.filter((part) => shareWithin(spanOf(part, across), main) < IN_LINE);
  if (beside.length === 0) return maps;
  const data = Float32Array.from(maps.tread.data);
  for (const part of beside) for (const pixel of part) data[pixel] = 0;
  return { ...maps, tread: { ...maps.tread, data } };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Position of a pixel across the tire. */
function acrossOf(maps: TreadMaps): (pixel: number) => number {
  const { width } = maps.tread;
  const { directionRad } = groovesOnTread(maps);
  const [cos, sin] = [Math.cos(directionRad), Math.sin(directionRad)];
  return (pixel) => (pixel % width) * cos + Math.floor(pixel / width) * sin;
}

function spanOf(part: Int32Array, across: (pixel: number) => number): Span {
  const places = new Float64Array(part.length);
  for (let i = 0; i < places.length; i++) places[i] = across(part[i]!);
  return { from: quantile(places, STRAY), to: quantile(places, 1 - STRAY) };
}

const shareWithin = (part: Span, main: Span): number =>
  (Math.min(part.to, main.to) - Math.max(part.from, main.from)) / Math.max(1, part.to - part.from);

/** Connected pixels of the tread, the largest part first. */
function partsOf({ tread: { width, data } }: TreadMaps): Int32Array[] {
  const isOpen = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) if (data[i]! > TREAD) isOpen[i] = 1;
  const parts: Int32Array[] = [];
  const found = new Int32Array(data.length);
  let end = 0;
  const take = (pixel: number) => {
    if (isOpen[pixel] === 0) return;
    isOpen[pixel] = 0;
    found[end++] = pixel;
  };
  for (let start = 0; start < data.length; start++) {
    if (isOpen[start] === 0) continue;
    const begin = end;
    take(start);
    for (let i = begin; i < end; i++) {
      const pixel = found[i]!;
      const column = pixel % width;
      if (column > 0) take(pixel - 1);
      if (column < width - 1) take(pixel + 1);
      if (pixel >= width) take(pixel - width);
      if (pixel + width < data.length) take(pixel + width);
    }
    parts.push(found.subarray(begin, end));
  }
  return parts.sort((a, b) => b.length - a.length);
}

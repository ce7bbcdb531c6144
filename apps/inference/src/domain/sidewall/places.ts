import type { Line } from './line-reader';

interface Extent {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const SAME = 0.5;

/** Looks at one box, boxes of several views, joined boxes and their parts show one text: most of the smaller one is in both. */
export function byPlace(lines: readonly Line[]): Line[][] {
  const places: { readonly extent: Extent; readonly looks: Line[] }[] = [];
  for (const line of lines) {
    const extent = extentOf(line.outline);
    const known = places.find((place) => place.looks.some(({ box }) => box === line.box) || sharedOf(place.extent, extent) > SAME);
    if (known) known.looks.push(line);
    else places.push({ extent, looks: [line] });
  }
  return places.map(({ looks }) => looks);
}

function extentOf(outline: Line['outline']): Extent {
  const [xs, ys] = [outline.map(({ x }) => x), outline.map(({ y }) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

const areaOf = ({ left, right, top, bottom }: Extent): number => Math.max(0, right - left) * Math.max(0, bottom - top);

/** Of the smaller one. */
function sharedOf(a: Extent, b: Extent): number {
  const shared = areaOf({
    ...{ left: Math.max(a.left, b.left), right: Math.min(a.right, b.right) },
    ...{ top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom) },
  });
  return shared / Math.max(1e-12, Math.min(areaOf(a), areaOf(b)));
}

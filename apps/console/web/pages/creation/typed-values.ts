import type { ManualTire } from '@tire/contracts/console';
import { MANUAL_LIMITS as LIMITS } from '@tire/contracts/limits';
import { POSITIONS, type Position } from '../reports/positions';

export { LIMITS };

export type Size = NonNullable<ManualTire['size']>;
const AXLES: readonly (readonly [Position, Position])[] = [
  ['front_left', 'front_right'],
  ['rear_left', 'rear_right'],
];
const FIRST: Position = 'front_left';

export interface TypedTire {
  readonly depths: readonly string[];
  /** Null: the same size as the first tire. */
  readonly size: string | null;
}
export type TypedTires = Readonly<Record<Position, TypedTire>>;

type Read<Value, Fault> = { readonly value: Value } | { readonly fault: Fault } | null;
export type DepthFault = 'number' | 'range';
export type SizeFault = 'size' | 'sizeRange';

/** Whether the size is unusual, not the grooves. */
export const isOfSize = (found: Unusual): found is Extract<Unusual, { what: SizeOddity }> => found.what === 'axle' || found.what === 'rare';

export interface Fault {
  readonly position: Position;
  /** Null: the error is in the size. */
  readonly groove: number | null;
  readonly what: DepthFault | SizeFault | 'missing' | 'loneSize';
}

type SizeOddity = 'axle' | 'rare';

export type Unusual =
  | { readonly position: Position; readonly what: 'deep' | 'shallow'; readonly groove: number; readonly depthMm: number }
  | { readonly position: Position; readonly what: 'spread' }
  | { readonly position: Position; readonly what: SizeOddity };

/** Null: empty. A comma is accepted as the decimal separator. */
export function readDepth(text: string): Read<number, DepthFault> {
  const typed = text.trim().replace(',', '.');
  if (typed === '' || typed === '.') return null;
  if (!/^\d*\.?\d*$/.test(typed)) return { fault: 'number' };
  const depthMm = Number(typed);
  return depthMm < LIMITS.depthMm.min || depthMm > LIMITS.depthMm.max ? { fault: 'range' } : { value: depthMm };
}

/** A size as printed on a sidewall, with or without punctuation, and with a suffix. */
const SIZE = /^(?:lt|st|hl|p|t)?\s*(\d{3})[/\s.-]*(\d{2})[/\s.-]*z?r?[/\s.-]*(\d{2})(?:\s+\d{2,3}\s*[a-z]{1,2})?(?:\s*xl)?$/i;

const within = (value: number, { min, max }: { readonly min: number; readonly max: number }): boolean => value >= min && value <= max;

export function readSize(text: string): Read<Size, SizeFault> {
  const typed = text.trim();
  if (typed === '') return null;
  const [, width, ratio, rim] = SIZE.exec(typed) ?? [];
  if (width === undefined) return { fault: 'size' };
  const size: Size = { section_width: Number(width), aspect_ratio: Number(ratio), rim_diameter: Number(rim) };
  const exists =
    within(size.section_width, LIMITS.sectionWidthMm) &&
    within(size.aspect_ratio, LIMITS.aspectRatioPercent) &&
    within(size.rim_diameter, LIMITS.rimDiameterInch);
  return exists ? { value: size } : { fault: 'sizeRange' };
}

export const sizeText = ({ section_width, aspect_ratio, rim_diameter }: Size): string => `${section_width}/${aspect_ratio}R${rim_diameter}`;

export const typedSize = (tires: TypedTires, position: Position): string => tires[position].size ?? tires[FIRST].size ?? '';

const valueOf = <Value>(read: Read<Value, unknown>): Value | null => (read && 'value' in read ? read.value : null);
const sizeAt = (tires: TypedTires, position: Position): Size | null => valueOf(readSize(typedSize(tires, position)));

/** The depth that is shown to the customer: that of the lowest groove. Null until a depth is valid. */
export function lowestTypedMm(tires: TypedTires, position: Position): number | null {
  const depthsMm = tires[position].depths.flatMap((text) => valueOf(readDepth(text)) ?? []);
  return depthsMm.length === 0 ? null : Math.min(...depthsMm);
}

/** The errors in field order. `whole`: a missing value is an error too. */
export function faultsOf(tires: TypedTires, whole: boolean): Fault[] {
  const sized = POSITIONS.filter((position) => typedSize(tires, position).trim() !== '');
  return POSITIONS.flatMap((position) => {
    const depths = tires[position].depths.flatMap((text, groove): Fault[] => {
      const read = readDepth(text);
      if (read && 'fault' in read) return [{ position, groove, what: read.fault }];
      return read === null && whole ? [{ position, groove, what: 'missing' }] : [];
    });
    // If the size comes from the first tire, the error is reported only there.
    const size = readSize(tires[position].size ?? '');
    if (size && 'fault' in size) return [...depths, { position, groove: null, what: size.fault }];
    const isLone = whole && sized.length === 1 && sized[0] === position;
    return isLone ? [...depths, { position, groove: null, what: 'loneSize' }] : depths;
  });
}

/** Possible but unlikely values, which need confirmation before they are sent. */
export function unusualOf(tires: TypedTires): Unusual[] {
  const { unusualAbove, unusualBelow, unusualSpread } = LIMITS.depthMm;
  const depths = POSITIONS.flatMap((position) => {
    const read = tires[position].depths.map((text) => valueOf(readDepth(text)));
    const found = read.flatMap((depthMm, groove): Unusual[] => {
      if (depthMm === null || (depthMm <= unusualAbove && depthMm >= unusualBelow)) return [];
      return [{ position, what: depthMm > unusualAbove ? 'deep' : 'shallow', groove, depthMm }];
    });
    const values = read.filter((depthMm) => depthMm !== null);
    const isSpread = Math.max(...values) - Math.min(...values) > unusualSpread;
    return isSpread ? [...found, { position, what: 'spread' as const }] : found;
  });
  return [...depths, ...oddSizes(tires)];
}

function oddSizes(tires: TypedTires): Unusual[] {
  const rare = POSITIONS.filter((position) => {
    const size = valueOf(readSize(tires[position].size ?? ''));
    return size !== null && (size.section_width % 10 !== 5 || size.aspect_ratio % 5 !== 0);
  });
  const unlike = AXLES.flatMap(([left, right]) => {
    const [one, other] = [sizeAt(tires, left), sizeAt(tires, right)];
    return one && other && sizeText(one) !== sizeText(other) ? [right] : [];
  });
  return [
    ...rare.map((position) => ({ position, what: 'rare' as const })),
    ...unlike.map((position) => ({ position, what: 'axle' as const })),
  ];
}

/** The values must be valid. */
export const measuredTires = (tires: TypedTires): ManualTire[] =>
  POSITIONS.map((position) => ({
    position,
    groove_depths_mm: tires[position].depths.flatMap((text) => valueOf(readDepth(text)) ?? []),
    size: sizeAt(tires, position),
  }));

/** Keeps the input for the remaining grooves. */
export const withGrooves = (tires: TypedTires, grooves: number): TypedTires =>
  tiresOf((position) => ({
    ...tires[position],
    depths: Array.from({ length: grooves }, (_, index) => tires[position].depths[index] ?? ''),
  }));

export const nothingTyped = (grooves: number): TypedTires =>
  tiresOf((position) => ({ depths: Array<string>(grooves).fill(''), size: position === FIRST ? '' : null }));

const tiresOf = (make: (position: Position) => TypedTire): TypedTires => ({
  front_left: make('front_left'),
  front_right: make('front_right'),
  rear_left: make('rear_left'),
  rear_right: make('rear_right'),
});

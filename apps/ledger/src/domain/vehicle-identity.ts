/**
 * By what a report knows its vehicle, and to which vehicle a new report belongs. A report is attached to the alias of its strongest identifier:
 * a VIN before the partner's own id, and that before a plate, which may change hands.
 */
const IDENTIFIER_KINDS = ['vin', 'own', 'plate'] as const;
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];

export interface Identifier {
  readonly kind: IdentifierKind;
  /** Normalised: equal values name the same vehicle. */
  readonly value: string;
  /** As it was written. */
  readonly shown: string;
}

/** Of each kind. Some partners give all cars one id: its vehicle does not gather their plates without end. */
export const ALIASES_OF_KIND_MAX = 20;

const SEPARATORS = /[\s\-.·‐-―−]/g;

/** Full-width digits and letters, case, spaces and hyphens do not matter. */
export const searchKey = (text: string): string => text.normalize('NFKC').toUpperCase().replace(SEPARATORS, '');

/** Null for what stands in place of a plate, as "new" or "미등록": a plate has two digits at least, and three characters. */
export function normalizedPlate(text: string): string | null {
  const plate = searchKey(text);
  return [...plate].length >= 3 && (plate.match(/\d/g)?.length ?? 0) >= 2 ? plate : null;
}

/** Without I, O and Q, which look like digits (ISO 3779). */
const VIN = /^[A-HJ-NPR-Z0-9]{17}$/;

export function normalizedVin(text: string): string | null {
  const vin = searchKey(text);
  return VIN.test(vin) ? vin : null;
}

/** The partner's own id is a name: only space around it does not matter. */
export const normalizedOwnId = (text: string): string | null => text.normalize('NFKC').trim() || null;

interface VehicleFacts {
  readonly vin: string | null;
  readonly externalVehicleId: string | null;
  readonly plateNumber: string | null;
}

/** The strongest first. */
export function identifiersOf({ vin, externalVehicleId, plateNumber }: VehicleFacts): Identifier[] {
  const of = (kind: IdentifierKind, text: string | null, normalized: (text: string) => string | null): Identifier[] => {
    const value = text === null ? null : normalized(text);
    return text === null || value === null ? [] : [{ kind, value, shown: text.trim() }];
  };
  return [...of('vin', vin, normalizedVin), ...of('own', externalVehicleId, normalizedOwnId), ...of('plate', plateNumber, normalizedPlate)];
}

export interface KnownAlias extends Pick<Identifier, 'kind' | 'value'> {
  readonly aliasId: string;
  readonly vehicleId: string;
}

/** How many aliases of each kind the vehicle has. */
export type AliasCounts = ReadonlyMap<string, Readonly<Partial<Record<IdentifierKind, number>>>>;

export interface Attachment {
  /** Null: a new vehicle. */
  readonly vehicleId: string | null;
  readonly added: readonly Identifier[];
  /** The alias that the report is attached to. */
  readonly by: Identifier;
}

/** Null for a report that names no vehicle. `known` has at most one alias for each identifier. */
export function attachment(identifiers: readonly Identifier[], known: readonly KnownAlias[], counts: AliasCounts): Attachment | null {
  const [strongest] = identifiers;
  if (!strongest) return null;
  const aliasOf = ({ kind, value }: Identifier) => known.find((alias) => alias.kind === kind && alias.value === value);
  const unknown = identifiers.filter((identifier) => !aliasOf(identifier));
  const countOf = (vehicleId: string, kind: IdentifierKind): number => counts.get(vehicleId)?.[kind] ?? 0;
  const first = identifiers.findIndex((identifier) => aliasOf(identifier));
  const found = first < 0 ? null : aliasOf(identifiers[first]!)!;
  // Somebody who names another VIN or own id than that of a vehicle means another vehicle, although the plate is the same.
  const isOther = found !== null && identifiers.slice(0, first).some(({ kind }) => countOf(found.vehicleId, kind) > 0);
  const vehicleId = found === null || isOther ? null : found.vehicleId;
  const added = unknown.filter(({ kind }) => vehicleId === null || countOf(vehicleId, kind) < ALIASES_OF_KIND_MAX);
  return { vehicleId, added, by: strongest };
}

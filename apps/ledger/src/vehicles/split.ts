import { DomainError, faulty, newId } from '@tire/kernel';
import type { Tx } from '@tire/platform';
import { addAlias } from './attachment.store';
import {
  deleteIfEmpty,
  findAliases,
  findPlateAt,
  hasMoreReports,
  insertChange,
  insertVehicle,
  moveAlias,
  moveReports,
  type AliasRow,
} from './vehicle.store';

/** One transaction moves no more. */
const MOVED_MAX = 10_000;

interface Split {
  readonly projectId: string;
  readonly vehicleId: string;
  /** Normalised. */
  readonly plate: string | null;
  readonly from: Date;
  readonly now: Date;
}

/** The plate belongs to a new vehicle from that time until its next alias begins. */
export async function splitPlate(tx: Tx, split: Split): Promise<void> {
  const { projectId, vehicleId, plate, from, now } = split;
  const aliases = await findAliases(tx, projectId, vehicleId);
  const alias = aliases
    .filter(({ kind, value, fromAt }) => kind === 'plate' && value === plate && Number(fromAt) <= from.getTime())
    .toSorted((one, other) => (Number(one.fromAt) < Number(other.fromAt) ? 1 : -1))[0];
  if (!alias) throw faulty('plate_number', 'is no plate of the vehicle at that time.');
  if ((await findPlateAt(tx, projectId, alias.value, from))?.aliasId !== alias.aliasId)
    throw conflict('The plate belongs to another vehicle at that time.');
  const beginsThen = Number(alias.fromAt) === from.getTime();
  if (beginsThen && aliases.length === 1) throw conflict('The vehicle has no other name.');
  const otherVehicleId = newId(now.getTime());
  await insertVehicle(tx, projectId, otherVehicleId, now);
  if (beginsThen) {
    // It was split then before, and came back.
    await moveAlias(tx, alias.aliasId, otherVehicleId);
    if (alias.vehicleId !== vehicleId) await deleteIfEmpty(tx, alias.vehicleId);
  } else await partAlias(tx, split, alias, otherVehicleId);
  await insertChange(tx, projectId, {
    changeId: newId(now.getTime()),
    kind: 'split',
    vehicleId,
    otherVehicleId,
    plate: alias.shown,
    fromAt: from,
    at: now,
  });
}

async function partAlias(tx: Tx, { projectId, from }: Split, { aliasId, value, shown }: AliasRow, otherVehicleId: string): Promise<void> {
  if (await hasMoreReports(tx, aliasId, from, MOVED_MAX)) throw conflict(`More than ${MOVED_MAX} reports have the plate since then.`);
  const newAlias = await addAlias(tx, projectId, otherVehicleId, { kind: 'plate', value, shown }, from);
  await moveReports(tx, aliasId, newAlias, from);
}

const conflict = (message: string) => new DomainError('conflict', { message });

import type { VehiclePassport } from '@tire/contracts/console';
import { POSITIONS, type Position } from '@tire/kernel';
import type { Inspection, MeasuredDepth, Proposal, Wear } from '../domain/vehicle-wear';
import { positionOf, vehicleTread } from '../search/search.service';
import type { AliasRow, MadeRow, PassportRow } from './vehicle.store';

/** Rows of the database in the form of the rules, and results of the rules in the form of the contract. */

type Shown = VehiclePassport['inspections'][number];

export function shownNames(aliases: readonly AliasRow[]): Pick<VehiclePassport, 'plates' | 'external_vehicle_ids' | 'vins'> {
  const of = (wanted: AliasRow['kind']) => [...new Set(aliases.filter(({ kind }) => kind === wanted).map(({ shown }) => shown))];
  return { plates: of('plate'), external_vehicle_ids: of('own'), vins: of('vin') };
}

const isPosition = (text: string | undefined): text is Position => POSITIONS.some((position) => position === text);

type ShownTread = NonNullable<Shown['treads'][Position]>;

const treadOf = (row: PassportRow): ShownTread => {
  const { depthLowMm, depthHighMm, isBald, isPartlyUnseen, isImageShared } = vehicleTread(row);
  const interval: [number, number] | null = depthLowMm === undefined || depthHighMm === undefined ? null : [depthLowMm, depthHighMm];
  return { depth_interval_mm: interval, is_bald: isBald, is_partly_unseen: isPartlyUnseen, is_image_shared: isImageShared };
};

export function shownInspection(reportId: string, rows: readonly PassportRow[], made: readonly MadeRow[]): Shown {
  const own = rows.filter(({ report_id }) => report_id === reportId);
  const [first] = own;
  const shown: Shown = {
    report_id: reportId,
    created_at: first!.created_at.toISOString(),
    analysis_status: first!.analysis_status as Shown['analysis_status'],
    standing: first!.standing,
    plate_number: first!.plate_number,
    mileage_km: first!.mileage_km,
    depths_mm: {},
    treads: {},
    made: {},
  };
  for (const row of own) {
    const position = positionOf(row.slot_id);
    if (!isPosition(position)) continue;
    if (row.depth_mm !== null) shown.depths_mm[position] = row.depth_mm;
    shown.treads[position] = treadOf(row);
  }
  for (const { slotId, week, year } of made.filter((one) => one.reportId === reportId)) {
    const position = positionOf(slotId);
    if (isPosition(position)) shown.made[position] = { week, year };
  }
  return shown;
}

/** Oldest first, as the rows are. Of an inspection that is not wanted only its time remains, because a tire may have been replaced at it. */
export function inspectionsOf<Row extends PassportRow>(rows: readonly Row[], isWanted: (row: Row) => boolean = () => true): Inspection[] {
  const found = new Map<string, Inspection & { depths: Partial<Record<Position, MeasuredDepth>> }>();
  for (const row of rows) {
    const { report_id: reportId, created_at, slot_id, depth_mm: depthMm } = row;
    const mileageKm = isWanted(row) ? row.mileage_km : null;
    const inspection = found.get(reportId) ?? { reportId, atMs: created_at.getTime(), mileageKm, depths: {} };
    found.set(reportId, inspection);
    const position = positionOf(slot_id);
    if (!isPosition(position) || depthMm === null || !isWanted(row)) continue;
    const { is_bald, is_partly_unseen, is_image_shared, depth_interval_mm } = treadOf(row);
    const intervalMm = depth_interval_mm === null ? null : ([...depth_interval_mm] as [number, number]);
    inspection.depths[position] = { depthMm, intervalMm, isDoubtful: is_bald || is_partly_unseen || is_image_shared };
  }
  return [...found.values()];
}

export const shownWear = ({ position, inspections, refused, reached, per10000Km }: Wear): VehiclePassport['wear'][number] => ({
  position,
  inspections,
  refused,
  reached: reached.map(({ limitMm, earliestMs, latestMs }) => ({
    limit_mm: limitMm,
    earliest: new Date(earliestMs).toISOString(),
    latest: latestMs === null ? null : new Date(latestMs).toISOString(),
  })),
  per_10000_km: per10000Km && { mm: per10000Km.mm, low_mm: per10000Km.lowMm, high_mm: per10000Km.highMm },
});

export const shownProposal = ({ reportId, position, kind, withPosition }: Proposal): VehiclePassport['proposals'][number] => ({
  report_id: reportId,
  position,
  kind,
  with_position: withPosition,
});

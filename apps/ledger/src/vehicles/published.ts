import type { ledgerApi } from '@tire/contracts/grpc';
import { POSITIONS } from '@tire/kernel';
import { wearOf, type Judgement, type Wear } from '../domain/vehicle-wear';
import { positionOf, vehicleTread } from '../search/search.service';
import { inspectionsOf } from './passport';
import type { MadeRow, PassportRow } from './vehicle.store';

export const isPublished = ({ is_published }: PassportRow): boolean => is_published;

interface Known {
  readonly rows: readonly PassportRow[];
  readonly made: readonly MadeRow[];
  readonly judgements: readonly Judgement[];
}

/** What anybody with a link may see: no id, no VIN, no name of a report, and nothing of an inspection that is not public. */
export function publishedVehicle({
  rows,
  made,
  judgements,
}: Known): Omit<ledgerApi.GetPublishedVehicleResponse, 'vehicleIds' | 'hasSamples'> {
  const shown = rows.filter(isPublished);
  const inspections = inspectionsOf(rows, isPublished);
  return {
    plateNumber: shown.findLast(({ plate_number }) => plate_number !== null)?.plate_number ?? undefined,
    inspections: [...new Set(shown.map(({ report_id }) => report_id))].map((reportId) => inspection(reportId, shown, made, judgements)),
    wear: POSITIONS.map((position) => publishedWear(wearOf(position, inspections, judgements))),
  };
}

function inspection(
  reportId: string,
  rows: readonly PassportRow[],
  made: readonly MadeRow[],
  judgements: readonly Judgement[],
): ledgerApi.PublishedInspection {
  const own = rows.filter(({ report_id }) => report_id === reportId);
  const [first] = own;
  const tires = POSITIONS.flatMap((position): ledgerApi.PublishedTire[] => {
    const row = own.find(({ slot_id }) => positionOf(slot_id) === position);
    const age = made.find((one) => one.reportId === reportId && positionOf(one.slotId) === position);
    const said = judgements.find((one) => one.reportId === reportId && one.position === position && one.verdict !== 'refused');
    if (!row && !age) return [];
    return [
      {
        position,
        depthMm: row?.depth_mm ?? undefined,
        tread: row && vehicleTread(row),
        change: said?.verdict,
        fromPosition: said?.withPosition ?? undefined,
        made: age && { week: age.week, year: age.year },
      },
    ];
  });
  const { created_at, mileage_km, standing } = first!;
  return { inspectedAt: created_at.toISOString(), mileageKm: mileage_km ?? undefined, standing, tires };
}

const publishedWear = ({ position, refused, reached, per10000Km }: Wear): ledgerApi.PublishedWear => ({
  position,
  refused: refused ?? undefined,
  reached: reached.map(({ limitMm, earliestMs, latestMs }) => ({
    limitMm,
    earliest: new Date(earliestMs).toISOString(),
    latest: latestMs === null ? undefined : new Date(latestMs).toISOString(),
  })),
  rate: per10000Km ?? undefined,
});

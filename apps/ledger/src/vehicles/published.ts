import type { ledgerApi } from '@tire/contracts/grpc';
import { POSITIONS, type Position } from '@tire/kernel';
import { wearOf, type Judgement, type Wear } from '../domain/vehicle-wear';
import { positionOf, vehicleTread } from '../search/search.service';
import { inspectionsOf } from './passport';
import type { PublishedRow } from './published.store';
import type { MadeRow } from './vehicle.store';

export const isPublished = ({ is_published }: PublishedRow): boolean => is_published;

interface Known {
  readonly rows: readonly PublishedRow[];
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
    branchId: shown.at(-1)?.branch_id ?? undefined,
    inspections: shownInspections(rows, made, judgements),
    wear: POSITIONS.map((position) => publishedWear(wearOf(position, inspections, judgements))),
  };
}

type Change = Pick<ledgerApi.PublishedTire, 'change' | 'fromPosition'>;
type Changes = Map<Position, Change>;

/**
 * A change at an inspection that is not public, or that has no value of the tire, stands at the next public one with a value. A change before
 * all shown inspections is left out.
 */
function shownInspections(
  rows: readonly PublishedRow[],
  made: readonly MadeRow[],
  judgements: readonly Judgement[],
): ledgerApi.PublishedInspection[] {
  const untold: Changes = new Map();
  return [...new Set(rows.map(({ report_id }) => report_id))].flatMap((reportId) => {
    for (const [position, change] of changesAt(reportId, judgements)) untold.set(position, change);
    const own = rows.filter((row) => row.report_id === reportId && isPublished(row));
    if (own[0] && !own[0].is_measured) untold.clear();
    return own.length === 0 ? [] : [inspection(own, made, untold)];
  });
}

/** A rotation changes two places. */
function changesAt(reportId: string, judgements: readonly Judgement[]): Changes {
  const said = judgements.filter((one) => one.reportId === reportId && one.verdict !== 'refused');
  const partners = said.flatMap(({ verdict, position, withPosition }): [Position, Change][] =>
    withPosition === null ? [] : [[withPosition, { change: verdict, fromPosition: position }]],
  );
  const own = said.map(({ verdict, position, withPosition }): [Position, Change] => [
    position,
    { change: verdict, fromPosition: withPosition ?? undefined },
  ]);
  return new Map([...partners, ...own]);
}

function inspection(own: readonly PublishedRow[], made: readonly MadeRow[], untold: Changes): ledgerApi.PublishedInspection {
  const { report_id: reportId, created_at, mileage_km, standing } = own[0]!;
  const tires = POSITIONS.flatMap((position): ledgerApi.PublishedTire[] => {
    const row = own.find(({ slot_id }) => positionOf(slot_id) === position);
    const age = made.find((one) => one.reportId === reportId && positionOf(one.slotId) === position);
    if (!row && !age) return [];
    const change = untold.get(position);
    untold.delete(position);
    return [
      {
        position,
        depthMm: row?.depth_mm ?? undefined,
        tread: row && vehicleTread(row),
        change: change?.change,
        fromPosition: change?.fromPosition,
        made: age && { week: age.week, year: age.year },
      },
    ];
  });
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

import type { Report } from '@tire/contracts/api';
import type { VehicleList, VehiclePassport } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { LEDGER, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ReportReader } from '../reports/report.reader';

const LIMIT_MM = 3;
/** Of vehicles with one identifier. The ledger lists equal ones before those that only begin alike. */
const CANDIDATES_MAX = 5;

/** What the other inspections of the vehicle of a report say about its reminders. */
@Injectable()
export class WearEstimate {
  constructor(
    private readonly reader: ReportReader,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
  ) {}

  /** When a tire may reach 3.0 mm, at the earliest. Null: there is no estimate. */
  async earliest(projectId: string, reportId: string): Promise<Date | null> {
    const passport = await this.passportOf(projectId, reportId);
    return passport && earliestOf(passport);
  }

  /** Whether the vehicle was inspected again after this time. */
  async isInspectedAfter(projectId: string, reportId: string, time: Date): Promise<boolean> {
    const passport = await this.passportOf(projectId, reportId);
    const others = passport?.inspections.filter((inspection) => inspection.report_id !== reportId) ?? [];
    return others.some(({ created_at: createdAt }) => new Date(createdAt) > time);
  }

  private async passportOf(projectId: string, reportId: string): Promise<VehiclePassport | null> {
    const { vehicle, client_context: context } = JSON.parse(String((await this.reader.report(projectId, reportId)).body)) as Report;
    // The ledger attaches a report by the first of them.
    for (const search of [vehicle.vin, context.external_vehicle_id, vehicle.plate_number]) {
      if (!search) continue;
      const { listJson } = await this.ledger.listVehicles({ projectId, search, limit: CANDIDATES_MAX });
      for (const { vehicle_id: vehicleId } of (JSON.parse(String(listJson)) as VehicleList).vehicles) {
        const { vehicleJson } = await this.ledger.getVehicle({ projectId, vehicleId });
        const passport = JSON.parse(String(vehicleJson)) as VehiclePassport;
        if (passport.inspections.some(({ report_id }) => report_id === reportId)) return passport;
      }
    }
    return null;
  }
}

function earliestOf({ wear }: VehiclePassport): Date | null {
  const days = wear
    .flatMap(({ reached }) => reached.filter(({ limit_mm }) => limit_mm === LIMIT_MM).map(({ earliest }) => earliest))
    .sort();
  return days[0] === undefined ? null : new Date(days[0]);
}

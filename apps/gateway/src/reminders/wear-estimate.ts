import type { VehiclePassport } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { DomainError } from '@tire/kernel';
import { LEDGER, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';

const LIMIT_MM = 3;

/** What the other inspections of the vehicle of a report say about its reminders. */
@Injectable()
export class WearEstimate {
  constructor(@Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>) {}

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
    try {
      const { vehicleJson } = await this.ledger.getVehicleOfReport({ projectId, reportId });
      return JSON.parse(String(vehicleJson)) as VehiclePassport;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') return null;
      throw error;
    }
  }
}

function earliestOf({ wear }: VehiclePassport): Date | null {
  const days = wear
    .flatMap(({ reached }) => reached.filter(({ limit_mm }) => limit_mm === LIMIT_MM).map(({ earliest }) => earliest))
    .sort();
  return days[0] === undefined ? null : new Date(days[0]);
}

import type { JudgeTireRequest, MergeVehiclesRequest, SplitVehicleRequest } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import type { QueryOf } from '@tire/contracts/operations';
import { LEDGER, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit';
import type { AuditedChange } from '../audit/audit.store';
import type { ProjectMember } from '../edge/callers';
import { HttpResponse } from '../edge/response';

interface Answer {
  readonly vehicleJson: Buffer;
}

/** The vehicles of a project, which the ledger owns. Its documents pass as they are. The audit log names ids, and no plate. */
@Injectable()
export class VehiclesService {
  constructor(
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
    private readonly audit: Audit,
  ) {}

  async list(projectId: string, { search, cursor, limit }: QueryOf<'listVehicles'>): Promise<HttpResponse> {
    return new HttpResponse((await this.ledger.listVehicles({ projectId, search, cursor, limit })).listJson);
  }

  async one(projectId: string, vehicleId: string): Promise<HttpResponse> {
    return shown(await this.ledger.getVehicle({ projectId, vehicleId }));
  }

  merge(caller: ProjectMember, vehicleId: string, { merged_vehicle_id: other }: MergeVehiclesRequest): Promise<HttpResponse> {
    const work = this.ledger.mergeVehicles({ projectId: caller.projectId, vehicleId, mergedVehicleId: other });
    return this.after(caller, work, { action: 'vehicle.merged', subject: vehicleId, details: { vehicle: other } });
  }

  split(caller: ProjectMember, vehicleId: string, { plate_number, from }: SplitVehicleRequest): Promise<HttpResponse> {
    const work = this.ledger.splitVehicle({ projectId: caller.projectId, vehicleId, plateNumber: plate_number, from });
    return this.after(caller, work, { action: 'vehicle.split', subject: vehicleId, details: { from } });
  }

  undo(caller: ProjectMember, vehicleId: string, changeId: string): Promise<HttpResponse> {
    const work = this.ledger.undoVehicleChange({ projectId: caller.projectId, vehicleId, changeId });
    return this.after(caller, work, { action: 'vehicle.change_undone', subject: vehicleId, details: { change: changeId } });
  }

  judge(caller: ProjectMember, vehicleId: string, request: JudgeTireRequest): Promise<HttpResponse> {
    const { report_id: reportId, position, verdict, with_position: withPosition } = request;
    const said = { position, verdict: verdict ?? undefined, withPosition: withPosition ?? undefined };
    const work = this.ledger.judgeTire({ projectId: caller.projectId, vehicleId, reportId, ...said });
    const details = { report: reportId, position, verdict: verdict ?? '' };
    return this.after(caller, work, { action: 'vehicle.tire_judged', subject: vehicleId, details });
  }

  private async after(caller: ProjectMember, work: Promise<Answer>, change: AuditedChange): Promise<HttpResponse> {
    return shown(await this.audit.after(caller, work, change));
  }
}

const shown = ({ vehicleJson }: Answer): HttpResponse => new HttpResponse(vehicleJson);

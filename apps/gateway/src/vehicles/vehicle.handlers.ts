import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { VehicleLinksService } from './vehicle-links.service';
import { VehiclesService } from './vehicles.service';

@Injectable()
export class VehicleHandlers {
  constructor(
    private readonly vehicles: VehiclesService,
    private readonly links: VehicleLinksService,
  ) {}

  readonly handlers = {
    listVehicles: ({ caller, query }) => this.vehicles.list(caller.projectId, query),
    getVehiclePassport: ({ caller, params }) => this.vehicles.one(caller.projectId, params.vehicle_id),
    mergeVehicles: ({ caller, params, body }) => this.vehicles.merge(caller, params.vehicle_id, body),
    splitVehicle: ({ caller, params, body }) => this.vehicles.split(caller, params.vehicle_id, body),
    undoVehicleChange: ({ caller, params }) => this.vehicles.undo(caller, params.vehicle_id, params.change_id),
    judgeTire: ({ caller, params, body }) => this.vehicles.judge(caller, params.vehicle_id, body),
    listVehicleLinks: ({ caller, params }) => this.links.list(caller.projectId, params.vehicle_id),
    createVehicleLink: ({ caller, params, body }) => this.links.create(caller, params.vehicle_id, body),
    revokeVehicleLink: ({ caller, params }) => this.links.revoke(caller, params.vehicle_id, params.link_id),
  } satisfies Partial<OperationHandlers>;
}

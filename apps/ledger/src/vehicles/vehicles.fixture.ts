import { VehicleList, VehiclePassport } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { newId, POSITIONS } from '@tire/kernel';
import { creationRequest, type World } from '../testing/world';

export const DAY_MS = 86_400_000;
export const VIN = 'KMHXX00XXXX000001';

export const passportOf = ({ vehicleJson }: { vehicleJson: Buffer }): VehiclePassport =>
  VehiclePassport.parse(JSON.parse(String(vehicleJson)));
export const reportsOf = ({ inspections }: VehiclePassport): string[] => inspections.map(({ report_id }) => report_id);

/** The vehicles of a new project. */
export function vehiclesOf(world: World) {
  const projectId = newId();
  /** By hand, a day after the one before it. */
  const inspect = async (over: Partial<ledgerApi.CreateReportRequest>, depthMm = 5): Promise<string> => {
    world.clock.advanceMs(DAY_MS);
    const tires = POSITIONS.map((position) => ({ position, grooveDepthsMm: [depthMm], size: undefined }));
    return (await world.create(creationRequest({ projectId, templateKey: 'tire_4t_0s', images: [], entered: { tires }, ...over })))
      .reportId;
  };
  const list = async (search?: string, over: Partial<ledgerApi.ListVehiclesRequest> = {}): Promise<VehicleList> => {
    const { listJson } = await world.ledger.listVehicles({ projectId, limit: 20, search, ...over });
    return VehicleList.parse(JSON.parse(String(listJson)));
  };
  const passport = async (vehicleId: string): Promise<VehiclePassport> =>
    passportOf(await world.ledger.getVehicle({ projectId, vehicleId }));
  const only = async (search?: string): Promise<string> => {
    const { vehicles } = await list(search);
    expect(vehicles).toHaveLength(1);
    return vehicles[0]!.vehicle_id;
  };
  return { projectId, inspect, list, passport, only };
}

export type VehiclesOfProject = ReturnType<typeof vehiclesOf>;

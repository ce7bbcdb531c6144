import { VehicleList, VehiclePassport } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { newId, POSITIONS } from '@tire/kernel';
import { creationRequest, startWorld, type World } from './world';

export const DAY_MS = 86_400_000;
export const VIN = 'KMHXX00XXXX000001';

export const passportOf = ({ vehicleJson }: { vehicleJson: Buffer }): VehiclePassport =>
  VehiclePassport.parse(JSON.parse(String(vehicleJson)));

export const reportsOf = ({ inspections }: VehiclePassport): string[] => inspections.map(({ report_id }) => report_id);

/** A world for the tests of a file, and a new project for each of them. */
export function vehiclesFixture() {
  const fixture = {
    world: undefined as unknown as World,
    projectId: '',

    /** By hand, a day after the one before it. */
    inspect: async (over: Partial<ledgerApi.CreateReportRequest> = {}, depthMm = 5): Promise<string> => {
      const { world, projectId } = fixture;
      world.clock.advanceMs(DAY_MS);
      const tires = POSITIONS.map((position) => ({ position, grooveDepthsMm: [depthMm], size: undefined }));
      const request = creationRequest({ projectId, templateKey: 'tire_4t_0s', images: [], entered: { tires }, ...over });
      return (await world.create(request)).reportId;
    },

    list: async (search?: string, over: Partial<ledgerApi.ListVehiclesRequest> = {}): Promise<VehicleList> => {
      const { world, projectId } = fixture;
      const { listJson } = await world.ledger.listVehicles({ projectId, limit: 20, search, ...over });
      return VehicleList.parse(JSON.parse(String(listJson)));
    },

    passport: async (vehicleId: string): Promise<VehiclePassport> => {
      const { world, projectId } = fixture;
      return passportOf(await world.ledger.getVehicle({ projectId, vehicleId }));
    },

    only: async (search?: string): Promise<string> => {
      const { vehicles } = await fixture.list(search);
      expect(vehicles).toHaveLength(1);
      return vehicles[0]!.vehicle_id;
    },
  };
  beforeAll(async () => {
    fixture.world = await startWorld();
  });
  afterAll(() => fixture.world?.stop());
  beforeEach(() => {
    fixture.projectId = newId();
  });
  return fixture;
}

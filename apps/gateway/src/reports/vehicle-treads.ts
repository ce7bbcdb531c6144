import type { VehicleTread } from '@tire/contracts/api';
import type { ledgerApi } from '@tire/contracts/grpc';

/** By position. A ledger of the version before sends none. */
export const vehicleTreads = (treads: ledgerApi.VehicleReport['treads']): Record<string, VehicleTread> =>
  Object.fromEntries(
    Object.entries(treads).map(([position, { depthLowMm, depthHighMm, isBald, isPartlyUnseen, isImageShared }]) => [
      position,
      {
        depth_interval_mm: depthLowMm === undefined || depthHighMm === undefined ? null : [depthLowMm, depthHighMm],
        is_bald: isBald,
        is_partly_unseen: isPartlyUnseen,
        is_image_shared: isImageShared,
      },
    ]),
  );

import type { CreateConsoleReportRequest } from '@tire/contracts/console';
import { LIMITS } from '@tire/contracts/limits';
import { Stack, TextInput } from '@mantine/core';
import type { Texts } from '../../i18n/en';
import { useTexts } from '../../i18n/language';
import { field } from '../../ui/form';
import type { ErrorMessages } from '../../ui/problem';

/** The vehicle fields: all optional, and only the plate is visible at first. */
export function VehicleFields() {
  const { vehicle: t } = useTexts().creation;
  return (
    <>
      <TextInput
        label={t.optional(t.plate)}
        name="plate_number"
        maxLength={LIMITS.plateNumber}
        autoComplete="off"
        className="short-field"
      />
      <details className="own-numbers">
        <summary>{t.more}</summary>
        <Stack gap="sm" mt="sm">
          <TextInput
            label={t.optional(t.inspection)}
            description={t.inspectionHint}
            name="external_inspection_id"
            maxLength={LIMITS.externalId}
            autoComplete="off"
          />
          <TextInput
            label={t.optional(t.vehicle)}
            description={t.vehicleHint}
            name="external_vehicle_id"
            maxLength={LIMITS.externalId}
            autoComplete="off"
          />
        </Stack>
      </details>
    </>
  );
}

type OfVehicle = Pick<CreateConsoleReportRequest, 'plate_number' | 'external_inspection_id' | 'external_vehicle_id'>;

export function vehicleOf(fields: FormData): OfVehicle {
  const text = (name: keyof OfVehicle) => field(fields, name).trim() || null;
  return {
    plate_number: text('plate_number'),
    external_inspection_id: text('external_inspection_id'),
    external_vehicle_id: text('external_vehicle_id'),
  };
}

/** The texts for a refused creation: a reused inspection id, or a changed form with the same idempotency key. */
export const creationMessages = ({ vehicle }: Texts['creation']): ErrorMessages => ({
  external_inspection_id: vehicle.inspectionTaken,
  report_discarded: vehicle.inspectionClosed,
  report_purge_pending: vehicle.inspectionClosed,
  idempotency_conflict: vehicle.sentBefore,
});

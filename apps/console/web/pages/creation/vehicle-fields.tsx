import type { CreateConsoleReportRequest } from '@tire/contracts';
import { Stack, TextInput } from '@mantine/core';
import type { Texts } from '../../i18n/en';
import { useTexts } from '../../i18n/language';
import { field } from '../../ui/form';
import type { Sayings } from '../../ui/problem';

/** What the service takes at most. */
const LONGEST = { plate: 32, id: 128 } as const;

/** What a report says of the car: all of it optional, and the plate alone in sight. */
export function VehicleFields() {
  const { vehicle: t } = useTexts().creation;
  return (
    <>
      <TextInput label={t.optional(t.plate)} name="plate_number" maxLength={LONGEST.plate} autoComplete="off" className="short-field" />
      <details className="own-numbers">
        <summary>{t.more}</summary>
        <Stack gap="sm" mt="sm">
          <TextInput
            label={t.optional(t.inspection)}
            description={t.inspectionHint}
            name="external_inspection_id"
            maxLength={LONGEST.id}
            autoComplete="off"
          />
          <TextInput
            label={t.optional(t.vehicle)}
            description={t.vehicleHint}
            name="external_vehicle_id"
            maxLength={LONGEST.id}
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

/** Why there is no report of what was sent: of the inspection's number, or of the form that was sent before with something else in it. */
export const creationSayings = ({ vehicle }: Texts['creation']): Sayings => ({
  external_inspection_id: vehicle.inspectionTaken,
  report_discarded: vehicle.inspectionClosed,
  report_purge_pending: vehicle.inspectionClosed,
  idempotency_conflict: vehicle.sentBefore,
});

import type { CreateConsoleReportRequest } from '@tire/contracts/console';
import { LIMITS, MILEAGE_KM_MAX, VIN_PATTERN } from '@tire/contracts/limits';
import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { openBranches, useBranches } from '../../api/branches';
import { useProject } from '../../api/project';
import type { Texts } from '../../i18n/en';
import { useTexts } from '../../i18n/language';
import { field } from '../../ui/form';
import type { ErrorMessages } from '../../ui/problem';

/** All optional. Only the branch, if there are any, the plate and the mileage are visible at first. */
export function VehicleFields() {
  const { creation, branches: words } = useTexts();
  const { vehicle: t } = creation;
  return (
    <>
      <BranchChoice />
      <TextInput
        label={t.optional(t.plate)}
        name="plate_number"
        maxLength={LIMITS.plateNumber}
        autoComplete="off"
        className="short-field"
      />
      <TextInput
        label={words.mileageOptional}
        name="mileage_km"
        type="number"
        inputMode="numeric"
        min={0}
        max={MILEAGE_KM_MAX}
        step={1}
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
          <TextInput
            label={t.optional(words.vin)}
            description={words.vinHint}
            name="vin"
            pattern={VIN_PATTERN.slice(1, -1)}
            maxLength={17}
            autoComplete="off"
          />
        </Stack>
      </details>
    </>
  );
}

function BranchChoice() {
  const { branches: t } = useTexts();
  const { project } = useProject();
  const { data } = useBranches(project.project_id);
  const open = data ? openBranches(data) : [];
  if (open.length === 0) return null;
  return (
    <NativeSelect
      label={t.optional(t.branch)}
      name="branch_id"
      className="short-field"
      data={[{ value: '', label: t.noBranch }, ...open.map(({ branch_id, name }) => ({ value: branch_id, label: name }))]}
    />
  );
}

type TextOfVehicle = 'plate_number' | 'external_inspection_id' | 'external_vehicle_id' | 'vin' | 'branch_id';
type OfVehicle = Pick<CreateConsoleReportRequest, TextOfVehicle | 'mileage_km'>;

export function vehicleOf(fields: FormData): OfVehicle {
  const text = (name: keyof OfVehicle) => field(fields, name).trim() || null;
  const mileage = text('mileage_km');
  return {
    plate_number: text('plate_number'),
    external_inspection_id: text('external_inspection_id'),
    external_vehicle_id: text('external_vehicle_id'),
    vin: text('vin'),
    branch_id: text('branch_id'),
    mileage_km: mileage === null ? null : Number(mileage),
  };
}

/** The texts for a refused creation: a reused inspection id, or a changed form with the same idempotency key. */
export const creationMessages = ({ creation: { vehicle }, branches }: Pick<Texts, 'creation' | 'branches'>): ErrorMessages => ({
  vin: branches.vinWrong,
  branch_id: branches.archivedMeanwhile,
  external_inspection_id: vehicle.inspectionTaken,
  report_discarded: vehicle.inspectionClosed,
  report_purge_pending: vehicle.inspectionClosed,
  idempotency_conflict: vehicle.sentBefore,
});

import type { ListedVehicle, VehiclePassport } from '@tire/contracts/console';
import { Button, Group, List, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { startOfDay } from '@tire/kernel/time-zones';
import { useState } from 'react';
import { useProject } from '../../api/project';
import { useTexts } from '../../i18n/language';
import { Confirm, Dialog } from '../../ui/dialog';
import { ActionForm, field } from '../../ui/form';
import { Row, Rows } from '../../ui/listing';
import { useTimeZone } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';
import { useChange, useDay } from './passport-change';
import { namesOf, useVehicleList } from './vehicle-list';

export function Changes({ passport, mayChange }: { passport: VehiclePassport; mayChange: boolean }) {
  const { vehicles: t } = useTexts();
  const day = useDay();
  const change = useChange(passport.vehicle_id);
  const [asked, setAsked] = useState<VehiclePassport['changes'][number] | null>(null);
  if (passport.changes.length === 0) return null;
  const textOf = ({ kind, other_name, plate_number, from }: VehiclePassport['changes'][number]) =>
    kind === 'merged' ? t.merged(visibleText(other_name || t.nameless)) : t.splitOff(visibleText(plate_number ?? ''), day(from ?? ''));
  return (
    <>
      <Rows label={t.changes}>
        {passport.changes.map((one) => (
          <Row
            key={one.change_id}
            actions={
              mayChange && one.undone_at === null ? (
                <Button size="xs" variant="default" onClick={() => setAsked(one)}>
                  {t.undo}
                </Button>
              ) : null
            }
          >
            <Text>{textOf(one)}</Text>
            <Text size="sm" c="dimmed">
              {one.undone_at === null ? day(one.at) : t.undone(day(one.undone_at))}
            </Text>
          </Row>
        ))}
      </Rows>
      {asked && (
        <Confirm
          title={t.undoTitle}
          text={textOf(asked)}
          submit={t.undo}
          danger={false}
          messages={{ conflict: t.undoConflict }}
          action={() => change(`changes/${asked.change_id}/undo`)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

export function ChangeButtons({ passport }: { passport: VehiclePassport }) {
  const { vehicles: t } = useTexts();
  const [open, setOpen] = useState<'merge' | 'split' | null>(null);
  const close = () => setOpen(null);
  return (
    <Group gap="sm" mb="md">
      <Button variant="default" onClick={() => setOpen('merge')}>
        {t.merge}
      </Button>
      {passport.plates.length > 0 && (
        <Button variant="default" onClick={() => setOpen('split')}>
          {t.split}
        </Button>
      )}
      {open === 'merge' && <Merge passport={passport} onClose={close} />}
      {open === 'split' && <Split passport={passport} onClose={close} />}
    </Group>
  );
}

interface ChangeDialogProps {
  readonly passport: VehiclePassport;
  readonly onClose: () => void;
}

function Merge({ passport, onClose }: ChangeDialogProps) {
  const { vehicles: t } = useTexts();
  const { project } = useProject();
  const change = useChange(passport.vehicle_id);
  const [search, setSearch] = useState('');
  const query = useVehicleList(project.project_id, search);
  const found = (query.data?.pages ?? [])
    .flatMap(({ vehicles }) => vehicles)
    .filter(({ vehicle_id }) => vehicle_id !== passport.vehicle_id);
  const nameOf = (vehicle: ListedVehicle) => namesOf(vehicle).join(', ') || t.nameless;
  const merge = async (fields: FormData) => {
    await change('merge', { merged_vehicle_id: field(fields, 'vehicle') });
    onClose();
  };
  return (
    <Dialog title={t.merge} onClose={onClose}>
      <Stack>
        <TextInput
          type="search"
          label={t.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        {found.length === 0 ? (
          <Text>{t.noOther}</Text>
        ) : (
          <ActionForm submit={t.merge} action={merge} onCancel={onClose} messages={{ conflict: t.mergeConflict }}>
            <NativeSelect
              name="vehicle"
              label={t.other}
              data={found.map((vehicle) => ({ value: vehicle.vehicle_id, label: visibleText(nameOf(vehicle)) }))}
            />
            <Text size="sm">{t.mergeText}</Text>
          </ActionForm>
        )}
      </Stack>
    </Dialog>
  );
}

function Split({ passport, onClose }: ChangeDialogProps) {
  const { vehicles: t } = useTexts();
  const change = useChange(passport.vehicle_id);
  const timeZone = useTimeZone() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const split = async (fields: FormData) => {
    const from = startOfDay(timeZone, field(fields, 'from')).toISOString();
    await change('split', { plate_number: field(fields, 'plate'), from });
    onClose();
  };
  return (
    <Dialog title={t.split} onClose={onClose}>
      <ActionForm submit={t.split} action={split} onCancel={onClose} messages={{ plate_number: t.splitWrong, conflict: t.splitTooMany }}>
        <NativeSelect name="plate" label={t.plate} data={passport.plates.map((plate) => ({ value: plate, label: visibleText(plate) }))} />
        <TextInput type="date" name="from" label={t.since} required />
        <List size="sm">
          <List.Item>{t.splitText}</List.Item>
        </List>
      </ActionForm>
    </Dialog>
  );
}

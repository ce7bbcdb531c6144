import type { Organization } from '@tire/contracts/console';
import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { NAME_LENGTH_MAX } from '@tire/contracts/limits';
import { call } from '../api/client';
import { SESSION, type Place } from '../api/session';
import { useTexts } from '../i18n/language';
import { Dialog } from '../ui/dialog';
import { ActionForm, field } from '../ui/form';

export function RenameOrganization({ place, onClose }: { place: Place; onClose: () => void }) {
  const t = useTexts();
  const queries = useQueryClient();
  const rename = async (fields: FormData) => {
    await call<Organization>('PATCH', `/organizations/${place.organization_id}`, { name: field(fields, 'name') });
    await queries.invalidateQueries({ queryKey: SESSION });
    onClose();
  };
  return (
    <Dialog title={t.organization.rename} onClose={onClose}>
      <ActionForm submit={t.common.save} action={rename} onCancel={onClose}>
        <TextInput
          label={t.organization.name}
          name="name"
          defaultValue={place.organization_name}
          maxLength={NAME_LENGTH_MAX}
          required
          data-autofocus
        />
      </ActionForm>
    </Dialog>
  );
}

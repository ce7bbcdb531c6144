import type { TrainingUse } from '@tire/contracts/console';
import { Checkbox, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client';
import { useProject } from '../api/project';
import { useTexts } from '../i18n/language';
import { Done } from '../ui/done';
import { ActionForm } from '../ui/form';
import { Loaded } from '../ui/listing';
import { Section } from '../ui/page';

/** Whether gauge values, with their photographs, may be used to improve the models. */
export function TrainingUseSection({ mayChange }: { mayChange: boolean }) {
  const t = useTexts();
  const { project } = useProject();
  const [saved, setSaved] = useState(false);
  const path = `/projects/${project.project_id}/training-use`;
  const queryKey = ['project', project.project_id, 'training-use'] as const;
  const query = useQuery({ queryKey, queryFn: () => call<TrainingUse>('GET', path) });
  const queries = useQueryClient();
  const save = async (fields: FormData) => {
    setSaved(false);
    queries.setQueryData(queryKey, await call<TrainingUse>('PATCH', path, { is_allowed: fields.has('is_allowed') }));
    setSaved(true);
  };
  return (
    <Section title={t.training.title} text={t.training.text}>
      <Loaded query={query}>
        {({ is_allowed }) =>
          mayChange ? (
            <Stack className="form-narrow">
              <ActionForm submit={t.training.save} action={save}>
                <Checkbox name="is_allowed" label={t.training.allow} defaultChecked={is_allowed} />
              </ActionForm>
              {saved && <Done text={t.common.saved} />}
            </Stack>
          ) : (
            <Checkbox label={t.training.allow} checked={is_allowed} disabled readOnly />
          )
        }
      </Loaded>
    </Section>
  );
}

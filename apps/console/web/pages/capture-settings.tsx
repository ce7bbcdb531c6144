import type { CaptureSettings } from '@tire/contracts/console';
import { Checkbox, Stack, Text, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client';
import { useProject } from '../api/project';
import { useTexts } from '../i18n/language';
import { Done } from '../ui/done';
import { ActionForm, field } from '../ui/form';
import { Loaded } from '../ui/listing';
import { Section } from '../ui/page';

/** How the pages behave that open with a capture link. */
export function CaptureSettingsSection({ mayChange }: { mayChange: boolean }) {
  const { settings: t } = useTexts().capture;
  const { project } = useProject();
  const path = `/projects/${project.project_id}/capture-settings`;
  const queryKey = ['project', project.project_id, 'capture-settings'] as const;
  const query = useQuery({ queryKey, queryFn: () => call<CaptureSettings>('GET', path) });
  const queries = useQueryClient();
  const save = async (settings: CaptureSettings) =>
    void queries.setQueryData(queryKey, await call<CaptureSettings>('PATCH', path, settings));
  return (
    <Section title={t.title} text={t.text}>
      <Loaded query={query}>
        {(settings) => (mayChange ? <SettingsForm settings={settings} onSave={save} /> : <Settings settings={settings} />)}
      </Loaded>
    </Section>
  );
}

function Settings({ settings: { embed_origins, shows_share_link } }: { settings: CaptureSettings }) {
  const { settings: t } = useTexts().capture;
  return (
    <Stack gap="xs">
      <Checkbox label={t.showsShareLink} checked={shows_share_link} disabled readOnly />
      <Text>
        {t.origins}: {embed_origins.length === 0 ? '–' : embed_origins.join(', ')}
      </Text>
    </Stack>
  );
}

interface FormProps {
  readonly settings: CaptureSettings;
  readonly onSave: (settings: CaptureSettings) => Promise<void>;
}

function SettingsForm({ settings, onSave }: FormProps) {
  const t = useTexts();
  const { settings: texts } = t.capture;
  const [saved, setSaved] = useState(false);
  const save = async (fields: FormData) => {
    setSaved(false);
    const embed_origins = field(fields, 'origins')
      .split(/\s+/)
      .filter((origin) => origin !== '');
    await onSave({ embed_origins, shows_share_link: fields.has('shows_share_link') });
    setSaved(true);
  };
  return (
    <Stack className="form-narrow">
      <ActionForm submit={texts.save} action={save} messages={{ validation_error: texts.originsWrong }}>
        <Checkbox name="shows_share_link" label={texts.showsShareLink} defaultChecked={settings.shows_share_link} />
        <Textarea
          name="origins"
          label={texts.origins}
          description={texts.originsText}
          defaultValue={settings.embed_origins.join('\n')}
          rows={3}
        />
      </ActionForm>
      {saved && <Done text={t.common.saved} />}
    </Stack>
  );
}

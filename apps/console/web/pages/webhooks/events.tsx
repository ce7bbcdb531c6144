import type { WebhookEvents } from '@tire/contracts/console';
import { CHOSEN_EVENTS } from '@tire/contracts/limits';
import { Checkbox, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { eventsOf, useEvents } from '../../api/webhooks';
import { useTexts } from '../../i18n/language';
import { Done } from '../../ui/done';
import { ActionForm } from '../../ui/form';
import { Loaded } from '../../ui/listing';
import { Section } from '../../ui/page';

/** What the project is notified of beside report.completed. */
export function EventsSection() {
  const t = useTexts();
  const { place, project } = useProject();
  const mayChange = place.can('webhooks.manage');
  return (
    <Section title={t.events.title} text={mayChange ? t.events.text : `${t.events.text} ${t.events.readOnly}`}>
      <Loaded query={useEvents(project.project_id)}>
        {({ events }) => (mayChange ? <EventsForm events={events} /> : <Choices events={events} readOnly />)}
      </Loaded>
    </Section>
  );
}

function EventsForm({ events }: WebhookEvents) {
  const t = useTexts();
  const { project } = useProject();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(false);
  const save = async (fields: FormData) => {
    setSaved(false);
    const body = { events: fields.getAll('event') };
    const path = `/projects/${project.project_id}/webhook-events`;
    queries.setQueryData(eventsOf(project.project_id), await call<WebhookEvents>('PATCH', path, body));
    setSaved(true);
  };
  return (
    <Stack>
      <ActionForm submit={t.common.save} action={save}>
        <Choices events={events} />
      </ActionForm>
      {saved && <Done text={t.common.saved} />}
    </Stack>
  );
}

function Choices({ events, readOnly = false }: WebhookEvents & { readOnly?: boolean }) {
  const t = useTexts();
  return (
    <Stack gap="xs">
      {CHOSEN_EVENTS.map((event) => (
        <Checkbox
          key={event}
          name="event"
          value={event}
          label={event}
          description={t.events.about[event]}
          defaultChecked={events.includes(event)}
          disabled={readOnly}
        />
      ))}
    </Stack>
  );
}

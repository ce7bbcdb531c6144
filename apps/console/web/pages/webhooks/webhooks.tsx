import { Button } from '@mantine/core';
import { useState } from 'react';
import { useProject } from '../../api/project';
import { useTexts } from '../../i18n/language';
import { Page } from '../../ui/page';
import { Deliveries } from './deliveries';
import { EventsSection } from './events';
import { SecretSection } from './secret';
import { SendTest } from './send-test';

export function WebhooksPage() {
  const t = useTexts();
  const { place } = useProject();
  const [testing, setTesting] = useState(false);
  const test = place.can('webhooks.send') && <Button onClick={() => setTesting(true)}>{t.webhooks.test}</Button>;
  return (
    <Page title={t.webhooks.title} text={t.webhooks.text} actions={test}>
      <SecretSection />
      <EventsSection />
      <Deliveries />
      {testing && <SendTest onClose={() => setTesting(false)} />}
    </Page>
  );
}

import type { CreateReportResponse } from '@tire/contracts/api';
import type { CreateConsoleReportRequest } from '@tire/contracts/console';
import { Checkbox, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { useLanguage, useTexts } from '../../i18n/language';
import { ActionForm, field } from '../../ui/form';
import { Page, Section } from '../../ui/page';
import type { CreatedWithLink } from '../reports/capture-link';
import './creation.css';
import { creationMessages, VehicleFields, vehicleOf } from './vehicle-fields';

const TEMPLATES = ['tire_4t_2s', 'tire_4t_4s', 'tire_4t_0s'] as const satisfies readonly CreateConsoleReportRequest['template'][];

/** The report exists before its images. Each image is uploaded as soon as it is taken, from any device. */
export function NewReportPage() {
  const texts = useTexts();
  const t = texts.creation;
  const { language } = useLanguage();
  const { project, path } = useProject();
  const [, go] = useLocation();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const create = async (fields: FormData) => {
    const capture = fields.has('capture') ? { language } : undefined;
    const body = { ...vehicleOf(fields), template: field(fields, 'template'), capture };
    const to = `/projects/${project.project_id}/reports`;
    const { report_id, capture_url } = await call<CreateReportResponse>('POST', to, body, { idempotencyKey });
    // An existing report of the inspection has a link of its own.
    const state: CreatedWithLink | null = capture_url === undefined ? null : { captureUrl: capture_url };
    go(`${path}/reports/${report_id}/images`, { state });
  };
  return (
    <Page title={t.newReport} text={t.newText}>
      <Section title={t.template.label}>
        <ActionForm submit={t.toImages} action={create} messages={creationMessages(texts)}>
          <Radio.Group name="template" defaultValue={TEMPLATES[0]} aria-label={t.template.label}>
            <Stack gap="sm">
              {TEMPLATES.map((key) => (
                <Radio key={key} value={key} label={t.template.names[key]} description={t.template.texts[key]} />
              ))}
            </Stack>
          </Radio.Group>
          <Checkbox name="capture" label={texts.capture.byLink} description={texts.capture.byLinkText} />
          <VehicleFields />
        </ActionForm>
      </Section>
    </Page>
  );
}

import type { Report } from '@tire/contracts';
import { Code } from '@mantine/core';
import { useTexts } from '../../i18n/language';
import { harmless } from '../../ui/harmless';
import { Moment } from '../../ui/moment';
import { Section } from '../../ui/page';
import { VehicleLink } from './list';
import { Value } from './values';

/** What is known of the report beside its photographs. Whatever strangers wrote is shown as the text it is. */
export function About({ report }: { report: Report }) {
  const t = useTexts();
  const { external_inspection_id, external_vehicle_id, metadata } = report.client_context;
  return (
    <Section title={t.report.about}>
      <dl className="values">
        <Value label={t.report.id}>
          <Code className="wraps">{report.report_id}</Code>
        </Value>
        {external_inspection_id !== null && (
          <Value label={t.reports.inspectionId}>
            <bdi>{harmless(external_inspection_id)}</bdi>
          </Value>
        )}
        {external_vehicle_id !== null && (
          <Value label={t.reports.vehicleId}>
            <VehicleLink id={external_vehicle_id} />
          </Value>
        )}
        <Value label={t.reports.created}>
          <Moment at={report.timestamps.created_at} /> {t.reports.sources[report.creation.source_channel]}
        </Value>
        <Value label={t.report.how}>{report.creation.mode === 'manual' ? t.reports.manual : t.reports.automatic}</Value>
        <Value label={t.report.template}>{t.report.templates[report.template.key]}</Value>
        <Value label={t.report.updated}>
          <Moment at={report.timestamps.updated_at} />
        </Value>
      </dl>
      {Object.keys(metadata).length > 0 && (
        <details className="metadata">
          <summary>{t.report.metadata}</summary>
          <pre tabIndex={0} aria-label={t.report.metadata} role="region">
            {harmless(JSON.stringify(metadata, null, 2))}
          </pre>
        </details>
      )}
    </Section>
  );
}

import type { Report } from '@tire/contracts/api';
import { Code } from '@mantine/core';
import { useBranches } from '../../api/branches';
import { useProject } from '../../api/project';
import { useLanguage, useTexts } from '../../i18n/language';
import { visibleText } from '../../ui/visible-text';
import { Timestamp } from '../../ui/timestamp';
import { Section } from '../../ui/page';
import { VehicleLink } from './list';
import { Value } from './values';

/** The facts of the report besides its images. Untrusted text is shown as plain text. */
export function About({ report }: { report: Report }) {
  const t = useTexts();
  const { language } = useLanguage();
  const { external_inspection_id, external_vehicle_id, metadata } = report.client_context;
  return (
    <Section title={t.report.about}>
      <dl className="values">
        <Value label={t.report.id}>
          <Code className="wraps">{report.report_id}</Code>
        </Value>
        {external_inspection_id !== null && (
          <Value label={t.reports.inspectionId}>
            <bdi>{visibleText(external_inspection_id)}</bdi>
          </Value>
        )}
        {external_vehicle_id !== null && (
          <Value label={t.reports.vehicleId}>
            <VehicleLink id={external_vehicle_id} />
          </Value>
        )}
        {report.branch_id && <BranchName branchId={report.branch_id} />}
        {report.vehicle.vin && <Value label={t.branches.vin}>{report.vehicle.vin}</Value>}
        {typeof report.vehicle.mileage_km === 'number' && (
          <Value label={t.branches.mileage}>{t.branches.mileageOf(report.vehicle.mileage_km.toLocaleString(language))}</Value>
        )}
        <Value label={t.reports.created}>
          <Timestamp at={report.timestamps.created_at} /> {t.reports.sources[report.creation.source_channel]}
        </Value>
        <Value label={t.report.how}>{report.creation.mode === 'manual' ? t.reports.manual : t.reports.automatic}</Value>
        <Value label={t.report.template}>{t.report.templates[report.template.key]}</Value>
        <Value label={t.report.updated}>
          <Timestamp at={report.timestamps.updated_at} />
        </Value>
      </dl>
      {Object.keys(metadata).length > 0 && (
        <details className="metadata">
          <summary>{t.report.metadata}</summary>
          <pre tabIndex={0} aria-label={t.report.metadata} role="region">
            {visibleText(JSON.stringify(metadata, null, 2))}
          </pre>
        </details>
      )}
    </Section>
  );
}

/** Also of an archived branch. */
function BranchName({ branchId }: { branchId: string }) {
  const { branches: t } = useTexts();
  const { project } = useProject();
  const { data } = useBranches(project.project_id);
  const branch = data?.branches.find(({ branch_id }) => branch_id === branchId);
  return branch ? <Value label={t.branch}>{visibleText(branch.name)}</Value> : null;
}

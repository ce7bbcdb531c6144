import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useProject } from '../../api/project';
import { useTexts } from '../../i18n/language';

/** The two buttons that create a report. Hidden for read-only roles. */
export function CreateReport() {
  const { creation: t } = useTexts();
  const { place, path } = useProject();
  if (!place.can('reports.write')) return null;
  return (
    <>
      <Button component={Link} href={`${path}/reports/new`}>
        {t.newReport}
      </Button>
      <Button component={Link} href={`${path}/reports/new-manual`} variant="default">
        {t.manualReport}
      </Button>
    </>
  );
}

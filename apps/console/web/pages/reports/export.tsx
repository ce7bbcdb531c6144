import { EXPORT_COLUMNS, EXPORT_FORMATS, EXPORT_ROWS_MAX, type ExportFormat } from '@tire/contracts/limits';
import type { ReportFilter } from '@tire/contracts/operations';
import { Button, Checkbox, Group, Radio, Text } from '@mantine/core';
import { useState } from 'react';
import { readFile } from '../../api/client';
import { useProject } from '../../api/project';
import { useLanguage, useTexts } from '../../i18n/language';
import { Dialog } from '../../ui/dialog';
import { ActionForm } from '../../ui/form';

/** The server ends an export after ten minutes. */
const TIMEOUT_MS = 10 * 60_000;

/** A browser may read the file after the click only. */
const KEPT_MS = 60_000;

/** A file with the reports that the list shows. */
export function ExportReports({ filter }: { readonly filter: Omit<ReportFilter, 'order'> }) {
  const { reports } = useTexts();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {reports.export.open}
      </Button>
      {open && <ExportDialog filter={filter} onClose={() => setOpen(false)} />}
    </>
  );
}

function ExportDialog({ filter, onClose }: { readonly filter: Omit<ReportFilter, 'order'>; readonly onClose: () => void }) {
  const { export: t } = useTexts().reports;
  const { language } = useLanguage();
  const { project } = useProject();
  const [format, setFormat] = useState<ExportFormat>('xlsx');
  const [chosen, setChosen] = useState<readonly string[]>(EXPORT_COLUMNS);
  const columns = EXPORT_COLUMNS.filter((column) => chosen.includes(column));
  const save = async () => {
    if (columns.length === 0) return;
    const parameters = new URLSearchParams({ ...filter, format, language, columns: columns.join(',') });
    const file = await readFile(`/projects/${project.project_id}/report-export?${parameters}`, TIMEOUT_MS);
    saveAs(file, `reports-${new Date().toISOString().slice(0, 10)}.${format}`);
    onClose();
  };
  return (
    <Dialog title={t.title} onClose={onClose}>
      <ActionForm submit={t.save} action={save} messages={{ rate_limited: t.running }} onCancel={onClose}>
        <Text size="sm">{t.text(EXPORT_ROWS_MAX.toLocaleString(language))}</Text>
        <Radio.Group label={t.format} value={format} onChange={(value) => setFormat(value as ExportFormat)}>
          <Group gap="md" mt={4}>
            {EXPORT_FORMATS.map((one) => (
              <Radio key={one} value={one} label={t.formats[one]} />
            ))}
          </Group>
        </Radio.Group>
        <Checkbox.Group label={t.columns} value={[...chosen]} onChange={setChosen} error={columns.length === 0 ? t.noColumn : undefined}>
          <div className="export-columns">
            {EXPORT_COLUMNS.map((column) => (
              <Checkbox key={column} value={column} label={t.columnNames[column]} />
            ))}
          </div>
        </Checkbox.Group>
      </ActionForm>
    </Dialog>
  );
}

function saveAs(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

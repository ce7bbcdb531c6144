import {
  EXPORT_COLUMNS,
  EXPORT_FORMATS,
  EXPORT_ROWS_MAX,
  isCustomerColumn,
  USUAL_COLUMNS,
  type ExportFormat,
} from '@tire/contracts/limits';
import type { ReportFilter } from '@tire/contracts/operations';
import { Button, Checkbox, Group, Radio, Text } from '@mantine/core';
import { useState } from 'react';
import { readFile } from '../../api/client';
import { useProject } from '../../api/project';
import { useLanguage, useTexts } from '../../i18n/language';
import { Dialog } from '../../ui/dialog';
import { ActionForm } from '../../ui/form';
import { saveAs } from '../../ui/save-as';

/** The server ends an export after ten minutes. */
const TIMEOUT_MS = 10 * 60_000;

interface Exported {
  /** What the list shows, unless reports were selected. */
  readonly filter?: Omit<ReportFilter, 'order'>;
  readonly selected?: readonly string[];
  readonly isSmall?: boolean;
  readonly isDisabled?: boolean;
}

/** A file with the reports that the list shows, or with those that were selected. */
export function ExportReports({ filter = {}, selected, isSmall = false, isDisabled = false }: Exported) {
  const { reports } = useTexts();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size={isSmall ? 'xs' : 'sm'} disabled={isDisabled} onClick={() => setOpen(true)}>
        {selected ? reports.export.openSelected : reports.export.open}
      </Button>
      {open && <ExportDialog filter={filter} selected={selected} onClose={() => setOpen(false)} />}
    </>
  );
}

function ExportDialog({ filter, selected, onClose }: Pick<Exported, 'filter' | 'selected'> & { readonly onClose: () => void }) {
  const { export: t } = useTexts().reports;
  const { language } = useLanguage();
  const { place, project } = useProject();
  const [format, setFormat] = useState<ExportFormat>('xlsx');
  const [chosen, setChosen] = useState<readonly string[]>(USUAL_COLUMNS);
  const offered = place.can('customers.manage') ? EXPORT_COLUMNS : USUAL_COLUMNS;
  const columns = offered.filter((column) => chosen.includes(column));
  const save = async () => {
    if (columns.length === 0) return;
    const path = `/projects/${project.project_id}/report-export`;
    const parameters = new URLSearchParams({ ...filter, format, language, columns: columns.join(',') });
    const file = selected
      ? await readFile(path, TIMEOUT_MS, { report_ids: selected, format, language, columns })
      : await readFile(`${path}?${parameters}`, TIMEOUT_MS);
    saveAs(file, `reports-${new Date().toISOString().slice(0, 10)}.${format}`);
    onClose();
  };
  return (
    <Dialog title={t.title} onClose={onClose}>
      <ActionForm submit={t.save} action={save} messages={{ rate_limited: t.running }} onCancel={onClose}>
        <Text size="sm">{selected ? t.textSelected(selected.length) : t.text(EXPORT_ROWS_MAX.toLocaleString(language))}</Text>
        <Radio.Group label={t.format} value={format} onChange={(value) => setFormat(value as ExportFormat)}>
          <Group gap="md" mt={4}>
            {EXPORT_FORMATS.map((one) => (
              <Radio key={one} value={one} label={t.formats[one]} />
            ))}
          </Group>
        </Radio.Group>
        <Checkbox.Group label={t.columns} value={[...chosen]} onChange={setChosen} error={columns.length === 0 ? t.noColumn : undefined}>
          <div className="export-columns">
            {offered.map((column) => (
              <Checkbox key={column} value={column} label={t.columnNames[column]} />
            ))}
          </div>
        </Checkbox.Group>
        {columns.some(isCustomerColumn) && <Text size="sm">{t.customers}</Text>}
      </ActionForm>
    </Dialog>
  );
}

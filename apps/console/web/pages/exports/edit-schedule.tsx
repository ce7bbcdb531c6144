import type { ExportSchedule, ExportScheduleRequest } from '@tire/contracts/console';
import { BUCKET_LIMITS, EXPORT_FORMATS, EXPORT_FREQUENCIES, EXPORT_KINDS, USUAL_COLUMNS } from '@tire/contracts/limits';
import { URGENCIES } from '@tire/kernel/standing';
import { Checkbox, NativeSelect, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSaveExportSchedule } from '../../api/export-schedules';
import type { Texts } from '../../i18n/en';
import { useLanguage, useTexts } from '../../i18n/language';
import { AccountName } from '../../ui/account-name';
import { Dialog } from '../../ui/dialog';
import { ActionForm, field } from '../../ui/form';
import { Password } from '../../ui/password';

type Request = ExportScheduleRequest;
type Filters = Request['filters'];

const ATTENTIONS = ['open', 'unread', 'handled'] as const satisfies readonly Filters['attention'][];
const MODES = ['automatic', 'manual'] as const satisfies readonly Filters['mode'][];
const LANGUAGES = { ko: '한국어', en: 'English' } as const;

/** The values of a select come from its own options. */
const chosen = <Value extends string>(fields: FormData, name: string): Value | undefined =>
  (field(fields, name) || undefined) as Value | undefined;

function bucketOf(fields: FormData): NonNullable<Request['bucket']> {
  const secret = field(fields, 'secret_access_key');
  return {
    endpoint: field(fields, 'endpoint').trim(),
    region: field(fields, 'region').trim(),
    bucket: field(fields, 'bucket').trim(),
    prefix: field(fields, 'prefix').trim(),
    access_key_id: field(fields, 'access_key_id').trim(),
    ...(secret !== '' && { secret_access_key: secret }),
  };
}

const USAGE = { format: 'csv', columns: [], filters: {} } satisfies Partial<Request>;

/** The filter of the state has no field here; one that was set otherwise stays. */
const reportsOf = (fields: FormData, columns: Request['columns'], schedule: ExportSchedule | null) => ({
  format: chosen<Request['format']>(fields, 'format') ?? 'xlsx',
  language: chosen<Request['language']>(fields, 'language') ?? 'ko',
  columns,
  filters: {
    ...(schedule?.filters.analysis_status && { analysis_status: schedule.filters.analysis_status }),
    urgency: chosen<NonNullable<Filters['urgency']>>(fields, 'urgency'),
    attention: chosen<NonNullable<Filters['attention']>>(fields, 'attention'),
    mode: chosen<NonNullable<Filters['mode']>>(fields, 'mode'),
  },
});

const messagesOf = (t: Texts['exportSchedules']) => ({
  conflict: t.tooMany,
  'bucket.endpoint': t.endpointWrong,
  'bucket.region': t.regionWrong,
  'bucket.bucket': t.bucketWrong,
  'bucket.prefix': t.prefixWrong,
  'bucket.access_key_id': t.keyWrong,
  'bucket.secret_access_key': t.secretNeeded,
  password: t.passwordNeeded,
});

interface EditProps {
  /** Null: a new one. */
  readonly schedule: ExportSchedule | null;
  readonly onClose: () => void;
}

export function EditSchedule({ schedule, onClose }: EditProps) {
  const { exportSchedules: t, reports, common } = useTexts();
  const { language } = useLanguage();
  const save = useSaveExportSchedule();
  const [kind, setKind] = useState<Request['kind']>(schedule?.kind ?? 'reports');
  const [columns, setColumns] = useState<readonly string[]>(schedule?.columns.length ? schedule.columns : USUAL_COLUMNS);
  const [hasBucket, setHasBucket] = useState(schedule !== null && schedule.bucket !== null);
  const isReports = kind === 'reports';
  const ordered = USUAL_COLUMNS.filter((column) => columns.includes(column));
  const hasNoColumn = isReports && ordered.length === 0;
  const submit = async (fields: FormData) => {
    if (hasNoColumn) return;
    const settings = isReports ? reportsOf(fields, ordered, schedule) : USAGE;
    const frequency = chosen<Request['frequency']>(fields, 'frequency') ?? 'daily';
    const password = field(fields, 'password');
    const bucket = hasBucket ? bucketOf(fields) : null;
    const request = { language, ...settings, kind, frequency, bucket, ...(password !== '' && { password }) };
    await save(schedule?.schedule_id ?? null, request);
    onClose();
  };
  return (
    <Dialog title={schedule ? t.editOf(t.kinds[schedule.kind]) : t.add} onClose={onClose}>
      <ActionForm submit={common.save} action={submit} messages={messagesOf(t)} onCancel={onClose}>
        <NativeSelect
          label={t.kind}
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as Request['kind'])}
          data={EXPORT_KINDS.map((value) => ({ value, label: t.kinds[value] }))}
          data-autofocus
        />
        <NativeSelect
          label={t.frequency}
          name="frequency"
          defaultValue={schedule?.frequency}
          data={EXPORT_FREQUENCIES.map((value) => ({ value, label: t.frequencies[value] }))}
        />
        {isReports && <ReportFields schedule={schedule} />}
        {isReports && (
          <Checkbox.Group
            label={reports.export.columns}
            value={[...columns]}
            onChange={setColumns}
            error={hasNoColumn ? reports.export.noColumn : undefined}
          >
            <div className="export-columns">
              {USUAL_COLUMNS.map((column) => (
                <Checkbox key={column} value={column} label={reports.export.columnNames[column]} />
              ))}
            </div>
          </Checkbox.Group>
        )}
        <Checkbox label={t.withBucket} checked={hasBucket} onChange={({ currentTarget }) => setHasBucket(currentTarget.checked)} />
        {hasBucket && <BucketFields bucket={schedule?.bucket ?? null} />}
      </ActionForm>
    </Dialog>
  );
}

function ReportFields({ schedule }: Pick<EditProps, 'schedule'>) {
  const { exportSchedules: t, reports, worklist } = useTexts();
  const { language } = useLanguage();
  const { filters } = schedule ?? { filters: {} as Filters };
  const all = { value: '', label: t.all };
  return (
    <>
      <NativeSelect
        label={reports.export.format}
        name="format"
        defaultValue={schedule?.format ?? 'xlsx'}
        data={EXPORT_FORMATS.map((value) => ({ value, label: reports.export.formats[value] }))}
      />
      <NativeSelect
        label={t.language}
        name="language"
        defaultValue={schedule?.language ?? language}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        label={t.urgency}
        name="urgency"
        defaultValue={filters.urgency ?? ''}
        data={[all, ...URGENCIES.map((value) => ({ value, label: worklist.urgencies[value] }))]}
      />
      <NativeSelect
        label={t.attention}
        name="attention"
        defaultValue={filters.attention ?? ''}
        data={[all, ...ATTENTIONS.map((value) => ({ value, label: worklist.views[value] }))]}
      />
      <NativeSelect
        label={t.mode}
        name="mode"
        defaultValue={filters.mode ?? ''}
        data={[all, ...MODES.map((value) => ({ value, label: reports[value] }))]}
      />
    </>
  );
}

function BucketFields({ bucket }: Pick<ExportSchedule, 'bucket'>) {
  const { exportSchedules: t, privacy } = useTexts();
  return (
    <Stack gap="md">
      <Text size="sm">{t.bucketText}</Text>
      <TextInput
        label={t.endpoint}
        description={t.endpointText}
        name="endpoint"
        type="url"
        defaultValue={bucket?.endpoint}
        maxLength={BUCKET_LIMITS.endpoint}
        required
      />
      <TextInput label={t.region} name="region" defaultValue={bucket?.region} maxLength={BUCKET_LIMITS.region} required />
      <TextInput label={t.bucket} name="bucket" defaultValue={bucket?.bucket} maxLength={BUCKET_LIMITS.bucket} required />
      <TextInput label={t.prefix} description={t.prefixText} name="prefix" defaultValue={bucket?.prefix} maxLength={BUCKET_LIMITS.prefix} />
      <TextInput
        label={t.accessKey}
        name="access_key_id"
        defaultValue={bucket?.access_key_id}
        maxLength={BUCKET_LIMITS.accessKeyId}
        autoComplete="off"
        required
      />
      <PasswordInput
        label={t.secret}
        description={bucket ? `${t.secretText} ${t.secretKept}` : t.secretText}
        name="secret_access_key"
        maxLength={BUCKET_LIMITS.secretAccessKey}
        autoComplete="new-password"
        required={bucket === null}
      />
      <AccountName />
      <Password
        label={privacy.password}
        description={bucket ? t.passwordText : undefined}
        name="password"
        autoComplete="current-password"
        required={bucket === null}
      />
    </Stack>
  );
}

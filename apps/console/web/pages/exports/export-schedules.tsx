import type { ExportSchedule, ScheduledFile } from '@tire/contracts/console';
import { EXPORT_SCHEDULES_MAX } from '@tire/contracts/limits';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useExportSchedules, useOpenScheduledFile, useRemoveExportSchedule } from '../../api/export-schedules';
import { useTexts } from '../../i18n/language';
import { Confirm } from '../../ui/dialog';
import { Empty, Facts, Loaded, Row, Rows } from '../../ui/listing';
import { Page, Section } from '../../ui/page';
import { Problem } from '../../ui/problem';
import { Timestamp } from '../../ui/timestamp';
import { visibleText } from '../../ui/visible-text';
import { EditSchedule } from './edit-schedule';

const COLORS: Readonly<Record<ScheduledFile['state'], string>> = { waiting: 'gray', stored: 'blue', done: 'green', failed: 'red' };
/** What a person looks for is the last file. */
const SHOWN = 3;

const NEW = 'new';

/** Files that are made every day, week or month. */
export function ExportSchedulesPage() {
  const { exportSchedules: t } = useTexts();
  const query = useExportSchedules();
  const [editing, setEditing] = useState<string | null>(null);
  const isFull = (query.data?.schedules.length ?? 0) >= EXPORT_SCHEDULES_MAX;
  const edited = query.data?.schedules.find(({ schedule_id }) => schedule_id === editing);
  return (
    <Page title={t.title} text={t.text} actions={!isFull && <Button onClick={() => setEditing(NEW)}>{t.add}</Button>}>
      <Loaded query={query}>
        {({ schedules }) =>
          schedules.length === 0 ? (
            <Empty title={t.none} text={t.noneText} />
          ) : (
            schedules.map((schedule) => (
              <Schedule key={schedule.schedule_id} schedule={schedule} onEdit={() => setEditing(schedule.schedule_id)} />
            ))
          )
        }
      </Loaded>
      {(edited || editing === NEW) && <EditSchedule schedule={edited ?? null} onClose={() => setEditing(null)} />}
    </Page>
  );
}

function Schedule({ schedule, onEdit }: { readonly schedule: ExportSchedule; readonly onEdit: () => void }) {
  const { exportSchedules: t, reports } = useTexts();
  const [removing, setRemoving] = useState(false);
  const remove = useRemoveExportSchedule();
  const { schedule_id, kind, frequency, format, bucket, next_first_day, next_at, files } = schedule;
  const actions = (
    <Group gap="sm">
      <Button variant="default" size="xs" onClick={onEdit}>
        {t.edit}
      </Button>
      <Button variant="default" size="xs" onClick={() => setRemoving(true)}>
        {t.remove}
      </Button>
    </Group>
  );
  return (
    <Section title={`${t.kinds[kind]} · ${t.frequencies[frequency]}`} actions={actions}>
      <Stack gap="sm">
        <Facts>
          <span>{reports.export.formats[format]}</span>
          <span>
            {t.next(next_first_day)}, <Timestamp at={next_at} />
          </span>
          <span className="wraps">
            {bucket ? t.toBucket(visibleText(`${bucket.endpoint}/${bucket.bucket}/${bucket.prefix}`)) : t.noBucket}
          </span>
        </Facts>
        <Files files={files} />
      </Stack>
      {removing && (
        <Confirm
          title={t.removeTitle}
          text={t.removeText}
          submit={t.remove}
          action={() => remove(schedule_id)}
          onClose={() => setRemoving(false)}
        />
      )}
    </Section>
  );
}

function Files({ files }: Pick<ExportSchedule, 'files'>) {
  const { exportSchedules: t } = useTexts();
  const [showsAll, setShowsAll] = useState(false);
  if (files.length === 0) return <Text size="sm">{t.noFiles}</Text>;
  const shown = showsAll ? files : files.slice(0, SHOWN);
  return (
    <>
      <Rows label={t.files}>
        {shown.map((file) => (
          <File key={file.file_id} file={file} />
        ))}
      </Rows>
      {files.length > shown.length && (
        <div>
          <Button variant="default" size="xs" onClick={() => setShowsAll(true)}>
            {t.earlier(files.length - shown.length)}
          </Button>
        </div>
      )}
    </>
  );
}

function File({ file }: { readonly file: ScheduledFile }) {
  const { exportSchedules: t } = useTexts();
  const address = useOpenScheduledFile();
  const opened = useMutation({ mutationFn: async () => location.assign((await address(file.file_id)).url) });
  const { name, first_day, last_day, state, fault, answer, next_attempt_at, sha256, stored_at, delivered_at } = file;
  const actions = stored_at !== null && (
    <Button variant="default" size="xs" loading={opened.isPending} onClick={() => opened.mutate()} aria-label={t.downloadOf(name)}>
      {t.download}
    </Button>
  );
  return (
    <Row actions={actions}>
      <Group gap="xs">
        <Text fw={600}>{t.days(first_day, last_day)}</Text>
        <Badge variant="light" color={COLORS[state]}>
          {t.states[state]}
        </Badge>
      </Group>
      {fault !== null && state !== 'done' && (
        <Text size="sm">
          {t.faults[fault]} {answer !== null && t.answer(visibleText(answer))}
        </Text>
      )}
      <Facts>
        {state === 'failed' && <span>{t.last}</span>}
        {fault !== null && next_attempt_at !== null && (
          <span>
            {t.again}: <Timestamp at={next_attempt_at} />
          </span>
        )}
        {delivered_at !== null && (
          <span>
            {t.delivered}: <Timestamp at={delivered_at} />
          </span>
        )}
        {sha256 !== null && <span className="wraps">{t.sha256(sha256)}</span>}
      </Facts>
      <Problem error={opened.error} />
    </Row>
  );
}

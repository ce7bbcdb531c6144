import type { Usage } from '@tire/contracts/console';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { useTexts } from '../../i18n/language';
import { Empty, Loaded } from '../../ui/listing';
import { Page } from '../../ui/page';
import { Charts } from './charts';
import { firstPeriod, type Period } from './period';
import { PeriodChoice } from './period-choice';
import { hasNumbers } from './sum';
import { UsageTable } from './table';

export function UsagePage() {
  const t = useTexts();
  const { project } = useProject();
  const timeZone = project.time_zone ?? 'UTC';
  const [period, setPeriod] = useState(() => firstPeriod(timeZone));
  const query = useUsage(project.project_id, period);
  const csv = (
    <Button component="a" href={`/console/api${usagePath(project.project_id, period, 'usage.csv')}`} variant="default" download>
      {t.usage.csv}
    </Button>
  );
  return (
    <Page title={t.usage.title} text={t.usage.text(timeZone)} actions={csv}>
      <PeriodChoice period={period} timeZone={timeZone} onChoose={setPeriod} />
      <Loaded query={query}>
        {(usage) =>
          usage.days.some(hasNumbers) ? (
            <>
              <Charts usage={usage} />
              <UsageTable title={t.usage.table} of={t.usage.day} rows={byDay(usage)} />
            </>
          ) : (
            <Empty title={t.usage.empty} text={t.usage.emptyText} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** Newest first. */
const byDay = ({ days }: Usage) => days.toReversed().map(({ day, ...counts }) => ({ key: day, name: day, counts }));

export const usagePath = (projectId: string, { from, to }: Period, file: 'usage' | 'usage.csv'): string =>
  `/projects/${projectId}/${file}?from=${from}&to=${to}`;

const useUsage = (projectId: string, period: Period) =>
  useQuery({
    queryKey: ['project', projectId, 'usage', period.from, period.to],
    queryFn: () => call<Usage>('GET', usagePath(projectId, period, 'usage')),
  });

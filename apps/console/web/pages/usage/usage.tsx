import type { Usage } from '@tire/contracts/console';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client';
import { useProject } from '../../api/project';
import { useLanguage, useTexts } from '../../i18n/language';
import { Empty, Loaded } from '../../ui/listing';
import { Page } from '../../ui/page';
import { Charts } from './charts';
import { firstPeriod, type Period } from './period';
import { CostSection } from './cost-section';
import { moneyText } from './money';
import { PeriodChoice } from './period-choice';
import { PricesSection } from './prices';
import { hasNumbers } from './sum';
import { UsageTable } from './table';

export function UsagePage() {
  const t = useTexts();
  const { language } = useLanguage();
  const { place, project } = useProject();
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
              <CostSection usages={[usage]} />
              <Charts usage={usage} />
              <UsageTable title={t.usage.table} of={t.usage.day} rows={byDay(usage, language)} />
            </>
          ) : (
            <Empty title={t.usage.empty} text={t.usage.emptyText} />
          )
        }
      </Loaded>
      {place.can('prices.manage') && project.mode === 'live' && <PricesSection />}
    </Page>
  );
}

/** Newest first. */
function byDay({ days, cost }: Usage, language: string) {
  const costs = new Map(cost?.days.map((money) => [money.day, moneyText(money, language)]));
  return days.toReversed().map(({ day, ...counts }) => ({ key: day, name: day, counts, cost: costs.get(day) }));
}

export const usagePath = (projectId: string, { from, to }: Period, file: 'usage' | 'usage.csv'): string =>
  `/projects/${projectId}/${file}?from=${from}&to=${to}`;

const useUsage = (projectId: string, period: Period) =>
  useQuery({
    queryKey: ['project', projectId, 'usage', period.from, period.to],
    queryFn: () => call<Usage>('GET', usagePath(projectId, period, 'usage')),
  });

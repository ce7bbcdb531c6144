import type { Project, Usage } from '@tire/contracts/console';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/client';
import { useProjects } from '../../api/project';
import { usePlace, type Place } from '../../api/session';
import { useLanguage, useTexts } from '../../i18n/language';
import { visibleText } from '../../ui/visible-text';
import { Empty, Loaded } from '../../ui/listing';
import { Page } from '../../ui/page';
import { NotFound } from '../not-found';
import { Charts } from './charts';
import { CostSection } from './cost-section';
import { moneyTexts, sumsOf } from './money';
import { firstPeriod, latestZone, type Period } from './period';
import { PeriodChoice } from './period-choice';
import { daysOf, hasNumbers, totalOf } from './sum';
import { UsageTable } from './table';
import { usagePath } from './usage';

/** A limit, because the usage of the projects is requested sequentially. */
const PROJECTS_MAX = 50;

export function OrganizationUsagePage() {
  const place = usePlace();
  return place?.can('usage.read') ? <OfAll place={place} /> : <NotFound />;
}

function OfAll({ place }: { place: Place }) {
  const t = useTexts();
  return (
    <Page title={t.usage.ofAll} text={t.usage.textOfAll}>
      <Loaded query={useProjects(place)}>{({ projects }) => <OfPeriod projects={projects} place={place} />}</Loaded>
    </Page>
  );
}

/** Each project counts days in its own zone. The last day is today where it is latest, so that no project lacks its last hours. */
function OfPeriod({ projects, place }: Omit<SumProps, 'period'>) {
  const timeZone = latestZone(projects.map(({ time_zone }) => time_zone ?? 'UTC'));
  const [period, setPeriod] = useState(() => firstPeriod(timeZone));
  return (
    <>
      <PeriodChoice period={period} timeZone={timeZone} onChoose={setPeriod} />
      <Sum projects={projects} period={period} place={place} />
    </>
  );
}

interface SumProps {
  readonly projects: readonly Project[];
  readonly period: Period;
  readonly place: Place;
}

function Sum({ projects, period, place }: SumProps) {
  const t = useTexts();
  const { language } = useLanguage();
  const shownProjects = projects.slice(0, PROJECTS_MAX);
  const query = useUsageOf(shownProjects, period);
  const pageOf = ({ project_id }: Project) => `/organizations/${place.organization_id}/projects/${project_id}/usage`;
  return (
    <>
      {projects.length > PROJECTS_MAX && (
        <Text size="sm" mb="md">
          {t.usage.someOf(PROJECTS_MAX, projects.length)}
        </Text>
      )}
      <Loaded query={query}>
        {(usages) => {
          const days = daysOf(usages);
          if (!days.some(hasNumbers)) return <Empty title={t.usage.empty} text={t.usage.emptyText} />;
          const rows = shownProjects.map((project, index) => ({
            key: project.project_id,
            name: (
              <Anchor component={Link} href={pageOf(project)} size="sm" underline="always">
                <bdi>{visibleText(project.name)}</bdi>
              </Anchor>
            ),
            counts: totalOf(usages[index]?.days ?? []),
            cost: moneyTexts(sumsOf(usages.slice(index, index + 1)), language),
          }));
          return (
            <>
              <CostSection usages={usages} />
              <Charts usage={{ ...period, days }} />
              <UsageTable title={t.usage.byProject} of={t.usage.project} rows={rows} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

const useUsageOf = (projects: readonly Project[], period: Period) =>
  useQuery({
    queryKey: ['usage of all', period.from, period.to, ...projects.map(({ project_id }) => project_id)],
    queryFn: async () => {
      const usages: Usage[] = [];
      for (const { project_id } of projects) usages.push(await call<Usage>('GET', usagePath(project_id, period, 'usage')));
      return usages;
    },
  });

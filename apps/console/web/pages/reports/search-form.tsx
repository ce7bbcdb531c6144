import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { LIMITS } from '@tire/contracts/limits';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { useProject } from '../../api/project';
import { useTexts } from '../../i18n/language';
import { field } from '../../ui/form';
import { useCreators } from '../../api/reports';
import { visibleText } from '../../ui/visible-text';
import {
  addressOf,
  filtersFrom,
  hasMore,
  isFiltered,
  isPeriod,
  modes,
  orderOf,
  orders,
  statuses,
  urgencies,
  viewOf,
  views,
  type Chosen,
} from './filters';

/** The search starts on submit, because keyboard selection passes through other options. */
export function Find({ chosen }: { chosen: Chosen }) {
  const t = useTexts();
  const { path } = useProject();
  const [, go] = useLocation();
  const [wrong, setWrong] = useState(false);
  const all = `${path}/reports`;
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    // What applied by itself and was left alone goes on to do so: a search looks through handled reports too.
    const applied: Readonly<Record<string, string>> = {
      ...(chosen.view === '' && { view: viewOf(chosen) }),
      ...(chosen.order === '' && { order: orderOf(chosen) }),
    };
    const wanted = filtersFrom((name) => (field(fields, name) === applied[name] ? '' : field(fields, name)));
    setWrong(!isPeriod(wanted));
    const address = addressOf(wanted);
    if (isPeriod(wanted)) go(address === '' ? all : `${all}?${address}`);
  };
  return (
    <form role="search" className="search find" onSubmit={find} noValidate>
      <TextInput
        type="search"
        name="search"
        label={t.reports.searchLabel}
        description={t.reports.searchHint}
        defaultValue={chosen.search}
        maxLength={LIMITS.externalId}
        autoComplete="off"
      />
      <Filters chosen={chosen} />
      <div className="search-actions">
        <Button type="submit">{t.reports.search}</Button>
        {(chosen.search !== '' || isFiltered(chosen)) && (
          <Button variant="default" onClick={() => go(all)}>
            {t.reports.clear}
          </Button>
        )}
      </div>
      {wrong && (
        <Text size="sm" c="red" role="alert">
          {t.reports.periodWrong}
        </Text>
      )}
    </form>
  );
}

function Filters({ chosen }: { chosen: Chosen }) {
  const t = useTexts();
  const every = { value: '', label: t.reports.every };
  return (
    <>
      <div className="filters main-filters">
        <NativeSelect
          name="view"
          label={t.worklist.view}
          defaultValue={viewOf(chosen)}
          data={views.map((value) => ({ value, label: t.worklist.views[value] }))}
        />
        <NativeSelect
          name="order"
          label={t.worklist.order}
          defaultValue={orderOf(chosen)}
          data={orders.map((value) => ({ value, label: t.worklist.orders[value] }))}
        />
        <NativeSelect
          name="status"
          label={t.reports.status}
          defaultValue={chosen.status}
          data={[
            every,
            ...urgencies.map((value) => ({ value, label: t.worklist.urgencies[value] })),
            ...statuses.map((value) => ({ value, label: t.reports.analysis[value] })),
          ]}
        />
      </div>
      <details className="more-filters" open={hasMore(chosen) || undefined}>
        <summary>{t.worklist.more}</summary>
        <MoreFilters chosen={chosen} />
      </details>
    </>
  );
}

function MoreFilters({ chosen }: { chosen: Chosen }) {
  const t = useTexts();
  const { project } = useProject();
  const { data } = useCreators(project.project_id);
  const every = { value: '', label: t.reports.every };
  const people = (data?.creators ?? []).map(({ actor, name }) => ({ value: actor, label: visibleText(name) }));
  const isKnown = chosen.person === '' || people.some(({ value }) => value === chosen.person);
  return (
    <div className="filters">
      {/* A new field when the people are known, so that it shows the one of the address. */}
      <NativeSelect
        key={people.length}
        name="person"
        label={t.worklist.person}
        defaultValue={chosen.person}
        data={[every, ...people, ...(isKnown ? [] : [{ value: chosen.person, label: '…' }])]}
      />
      <NativeSelect
        name="mode"
        label={t.reports.mode}
        defaultValue={chosen.mode}
        data={[every, ...modes.map((value) => ({ value, label: t.reports[value] }))]}
      />
      <TextInput type="date" name="from" label={t.reports.createdFrom} defaultValue={chosen.from} />
      <TextInput type="date" name="to" label={t.reports.createdTo} defaultValue={chosen.to} />
    </div>
  );
}

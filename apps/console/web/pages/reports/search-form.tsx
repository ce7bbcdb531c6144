import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { LIMITS } from '@tire/contracts/limits';
import { useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { useProject } from '../../api/project';
import { useTexts } from '../../i18n/language';
import { field } from '../../ui/form';
import { addressOf, filtersFrom, isFiltered, isPeriod, modes, statuses, type Chosen } from './filters';

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
    const wanted = filtersFrom((name) => field(fields, name));
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
    <div className="filters">
      <NativeSelect
        name="status"
        label={t.reports.status}
        defaultValue={chosen.status}
        data={[every, ...statuses.map((value) => ({ value, label: t.reports.analysis[value] }))]}
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

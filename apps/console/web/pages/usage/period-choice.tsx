import { USAGE_DAYS_MAX } from '@tire/contracts/limits';
import { Button, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTexts } from '../../i18n/language';
import { field } from '../../ui/form';
import { isPeriod, lastDays, PRESETS, type Period } from './period';

interface PeriodChoiceProps {
  readonly period: Period;
  /** In which the last day is today. */
  readonly timeZone?: string | undefined;
  readonly onChoose: (period: Period) => void;
}

export function PeriodChoice({ period, timeZone, onChoose }: PeriodChoiceProps) {
  const t = useTexts();
  const [wrong, setWrong] = useState(false);
  const choose = (chosen: Period) => {
    setWrong(!isPeriod(chosen));
    if (isPeriod(chosen)) onChoose(chosen);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    choose({ from: field(fields, 'from'), to: field(fields, 'to') });
  };
  const isChosen = (count: number): boolean => {
    const { from, to } = lastDays(count, Date.now(), timeZone);
    return from === period.from && to === period.to;
  };
  return (
    // A new form for each period, so that its fields show the chosen period.
    <form className="period" onSubmit={submit} key={`${period.from} ${period.to}`} noValidate>
      <div className="page-actions" role="group" aria-label={t.usage.period}>
        {PRESETS.map((count) => (
          <Button
            key={count}
            size="xs"
            variant={isChosen(count) ? 'light' : 'default'}
            aria-pressed={isChosen(count)}
            onClick={() => choose(lastDays(count, Date.now(), timeZone))}
          >
            {t.usage.lastDays(count)}
          </Button>
        ))}
      </div>
      <TextInput type="date" size="xs" label={t.usage.from} name="from" defaultValue={period.from} required />
      <TextInput type="date" size="xs" label={t.usage.to} name="to" defaultValue={period.to} required />
      <Button type="submit" size="xs" variant="default">
        {t.usage.show}
      </Button>
      {wrong && (
        <Text size="sm" c="red" role="alert">
          {t.usage.periodWrong(USAGE_DAYS_MAX)}
        </Text>
      )}
    </form>
  );
}

import type { Usage } from '@tire/contracts/console';
import { Code } from '@mantine/core';
import { useLanguage, useTexts } from '../../i18n/language';
import { BarChart } from '../../ui/bar-chart';
import { Section } from '../../ui/page';

type Day = Usage['days'][number];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const failuresOf = ({ failures }: Day): number => sum(Object.values(failures));

/** Sorted descending. */
function failuresByCode(days: readonly Day[]): [string, number][] {
  const totals = new Map<string, number>();
  for (const { failures } of days) for (const [code, count] of Object.entries(failures)) totals.set(code, (totals.get(code) ?? 0) + count);
  return [...totals].sort(([, a], [, b]) => b - a);
}

export function Charts({ usage: { days, from, to } }: { usage: Pick<Usage, 'days' | 'from' | 'to'> }) {
  const t = useTexts();
  const { language } = useLanguage();
  const number = new Intl.NumberFormat(language);
  const names = days.map(({ day }) => day);
  const delivered = days.map((day) => day.callbacks_delivered);
  const open = days.map((day) => day.callbacks - day.callbacks_delivered);
  const chart = (title: string, series: readonly { name: string; values: readonly number[] }[]) => {
    const total = number.format(sum(series.flatMap(({ values }) => values)));
    return (
      <Section title={`${title}: ${total}`}>
        <BarChart label={t.usage.chart(title, from, to, total)} days={names} series={series} />
      </Section>
    );
  };
  const codes = failuresByCode(days);
  return (
    <>
      {chart(t.usage.reports, [{ name: t.usage.reports, values: days.map(({ reports }) => reports) }])}
      {chart(t.usage.images, [{ name: t.usage.images, values: days.map(({ images }) => images) }])}
      <Section title={`${t.usage.failures}: ${number.format(sum(codes.map(([, count]) => count)))}`} text={t.usage.failuresText}>
        {codes.length > 0 && (
          <>
            <BarChart label={t.usage.failures} days={names} series={[{ name: t.usage.failures, values: days.map(failuresOf) }]} />
            <ul className="legend" aria-label={t.usage.byCode}>
              {codes.map(([code, count]) => (
                <li key={code}>
                  <Code>{code}</Code> {number.format(count)}
                </li>
              ))}
            </ul>
          </>
        )}
      </Section>
      {chart(t.usage.callbacks, [
        { name: t.usage.delivered, values: delivered },
        { name: t.usage.notDelivered, values: open },
      ])}
    </>
  );
}

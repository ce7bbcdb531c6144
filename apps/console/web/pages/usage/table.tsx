import type { Usage } from '@tire/contracts';
import { useTexts } from '../../i18n/language';
import { Section } from '../../ui/page';

/** The same numbers for who reads them; newest first. */
export function UsageTable({ usage: { days } }: { usage: Usage }) {
  const t = useTexts();
  const codes = [...new Set(days.flatMap(({ failures }) => Object.keys(failures)))].sort() as (keyof (typeof days)[number]['failures'])[];
  const head = [t.usage.day, t.usage.reports, t.usage.images, ...codes, t.usage.callbacks, t.usage.delivered];
  return (
    <Section title={t.usage.table}>
      <div className="usage-table" tabIndex={0} role="region" aria-label={t.usage.table}>
        <table>
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, reports, images, failures, callbacks, callbacks_delivered }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {[reports, images, ...codes.map((code) => failures[code] ?? 0), callbacks, callbacks_delivered].map((value, index) => (
                  <td key={head[index + 1]}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

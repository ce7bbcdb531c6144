import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/language';
import { Section } from '../../ui/page';
import type { Counts } from './sum';

interface UsageTableProps {
  readonly title: string;
  /** The heading of the rows. */
  readonly of: string;
  readonly rows: readonly { readonly key: string; readonly name: ReactNode; readonly counts: Counts; readonly cost?: string | undefined }[];
}

/** The numbers of the chart as a table. */
export function UsageTable({ title, of, rows }: UsageTableProps) {
  const t = useTexts();
  const codes = [...new Set(rows.flatMap(({ counts }) => Object.keys(counts.failures)))].sort() as (keyof Counts['failures'])[];
  const hasCosts = rows.some(({ cost }) => cost);
  const head = [of, t.usage.reports, t.usage.images, ...codes, t.usage.callbacks, t.usage.delivered, ...(hasCosts ? [t.prices.cost] : [])];
  return (
    <Section title={title}>
      <div className="usage-table" tabIndex={0} role="region" aria-label={title}>
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
            {rows.map(({ key, name, counts: { reports, images, failures, callbacks, callbacks_delivered }, cost }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {[reports, images, ...codes.map((code) => failures[code] ?? 0), callbacks, callbacks_delivered].map((value, index) => (
                  <td key={head[index + 1]}>{value}</td>
                ))}
                {hasCosts && <td>{cost}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

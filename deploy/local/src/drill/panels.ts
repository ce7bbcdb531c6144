import { DASHBOARDS } from '@tire/chart';
import type { Prometheus, Sample } from './prometheus';

const TEXT_SERIES_MAX = 8;

const panelsOf = (dashboards: typeof DASHBOARDS) =>
  dashboards.flatMap(({ name, dashboard }) =>
    dashboard.panels.flatMap(({ title, targets }) => targets.map((target) => ({ name, title, ...target }))),
  );

/** The query with the selectors of a namespace, as in a cluster. */
const inNamespace = (expr: string, namespace: string) =>
  expr.replaceAll(/\b(tire_[\w:]+|up)\{(\}?)/g, (_, name: string, end: string) => `${name}{namespace="${namespace}"${end ? '}' : ', '}`);

/** The queries of all dashboards that returned nothing in the last hour. */
export async function panelsWithoutData(prometheus: Prometheus, namespace: string): Promise<string[]> {
  const found = await Promise.all(
    panelsOf(DASHBOARDS).map(async ({ name, title, expr }) => {
      const series = await prometheus.query(`count(last_over_time((${inNamespace(expr, namespace)})[1h:10s]))`);
      return series.length > 0 ? [] : [`${name}: ${title}: ${expr}`];
    }),
  );
  return found.flat();
}

/** The panel whose figures say whether a process answers (1) or not (0). */
const ANSWERS = 'What does not respond';

const legend = (format: string, { metric }: Sample) => format.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? '');
const figure = (value: string) => (Number.isFinite(Number(value)) ? String(Number(Number(value).toPrecision(3))) : value);

/** The values of a panel in one line. Zeros are left out, since they say that nothing is wrong. */
export function panelLine({ title, legendFormat }: { title: string; legendFormat: string }, series: readonly Sample[]): string {
  const said = (sample: Sample) => {
    const [, value] = sample.value;
    if (title === ANSWERS) return [`${legend(legendFormat, sample)} ${Number(value) === 0 ? 'DOWN' : 'answers'}`];
    return Number(value) === 0 ? [] : [`${legend(legendFormat, sample)} ${figure(value)}`];
  };
  const all = series.flatMap(said);
  const shown = all.slice(0, TEXT_SERIES_MAX);
  const more = all.length > shown.length ? `, and ${all.length - shown.length} more` : '';
  return `${title.padEnd(48)} ${shown.join(', ') || (series.length > 0 ? '0' : 'no data')}${more}`;
}

/** A dashboard as text: the present values of each panel. */
export async function dashboardText(prometheus: Prometheus, namespace: string, dashboard: string): Promise<string> {
  const chosen = DASHBOARDS.filter(({ name }) => name === `${dashboard}.json`);
  if (chosen.length === 0) return `The dashboards: ${DASHBOARDS.map(({ name }) => name.replace('.json', '')).join(', ')}`;
  const lines = await Promise.all(
    panelsOf(chosen).map(async (panel) => panelLine(panel, await prometheus.query(inNamespace(panel.expr, namespace)))),
  );
  return lines.join('\n');
}

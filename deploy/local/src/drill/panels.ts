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

const legend = (format: string, { metric }: Sample) => format.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? '');
const figure = (value: string) => (Number.isFinite(Number(value)) ? String(Number(Number(value).toPrecision(3))) : value);

/** A dashboard as text: the present values of each panel. */
export async function dashboardText(prometheus: Prometheus, namespace: string, dashboard: string): Promise<string> {
  const chosen = DASHBOARDS.filter(({ name }) => name === `${dashboard}.json`);
  if (chosen.length === 0) return `The dashboards: ${DASHBOARDS.map(({ name }) => name.replace('.json', '')).join(', ')}`;
  const lines = await Promise.all(
    panelsOf(chosen).map(async ({ title, expr, legendFormat }) => {
      const series = await prometheus.query(inNamespace(expr, namespace));
      const shown = series.slice(0, TEXT_SERIES_MAX).map((sample) => `${legend(legendFormat, sample)} ${figure(sample.value[1])}`);
      const more = series.length > shown.length ? `, and ${series.length - shown.length} more` : '';
      return `${title.padEnd(48)} ${shown.join(', ') || 'no data'}${more}`;
    }),
  );
  return lines.join('\n');
}

import { DASHBOARDS } from '@tire/chart';
import type { Prometheus } from './prometheus';

/** The queries of all dashboards that returned nothing in the last hour, with the selectors of a namespace as in a cluster. */
export async function panelsWithoutData(prometheus: Prometheus, namespace: string): Promise<string[]> {
  const own = (expr: string) =>
    expr.replaceAll(/\b(tire_[\w:]+|up)\{(\}?)/g, (_, name: string, end: string) => `${name}{namespace="${namespace}"${end ? '}' : ', '}`);
  const panels = DASHBOARDS.flatMap(({ name, dashboard }) =>
    dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ name, title, expr }))),
  );
  const found = await Promise.all(
    panels.map(async ({ name, title, expr }) => {
      const series = await prometheus.query(`count(last_over_time((${own(expr)})[1h:10s]))`);
      return series.length > 0 ? [] : [`${name}: ${title}: ${expr}`];
    }),
  );
  return found.flat();
}

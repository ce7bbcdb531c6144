import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CHART } from './paths';

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string; runbook_url: string } }[] }[];
}
export interface Dashboard {
  uid: string;
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
}

export const ALERTS = (parse(readFileSync(join(CHART, 'files/alerts.yaml'), 'utf8')) as Rules).groups.flatMap(({ rules }) => rules);

export const DASHBOARDS = readdirSync(join(CHART, 'files/dashboards')).map((name) => ({
  name,
  dashboard: JSON.parse(readFileSync(join(CHART, 'files/dashboards', name), 'utf8')) as Dashboard,
}));

/** The queries of alerts and dashboards. */
export const QUERIES = [
  ...ALERTS.map(({ alert, expr }) => ({ where: alert, expr })),
  ...DASHBOARDS.flatMap(({ name, dashboard }) =>
    dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: `${name}: ${title}`, expr }))),
  ),
];

/** The metrics of a query (including `up`) and the labels by which it groups or selects. */
export function partsOf(expr: string): { metrics: string[]; labels: string[] } {
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(/,\s*/));
  const matched = [...expr.matchAll(/(\w+)\s*(?:=~|!=|=)\s*"/g)].map(([, name]) => name!);
  return { metrics: expr.match(/\b(tire_(?!reason|stage|outcome|error_code)\w+|up)\b/g) ?? [], labels: [...grouped, ...matched] };
}

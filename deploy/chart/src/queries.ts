import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CHART } from './paths';

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}
export interface Recording {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
}
interface Rules {
  groups: { rules: (Alert | Recording)[] }[];
}
export interface Dashboard {
  uid: string;
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
}

export const RULES = (parse(readFileSync(join(CHART, 'files/alerts.yaml'), 'utf8')) as Rules).groups.flatMap(({ rules }) => rules);
export const ALERTS = RULES.filter((rule): rule is Alert => 'alert' in rule);
const RECORDINGS = RULES.filter((rule): rule is Recording => 'record' in rule);
export const RECORDED = new Set(RECORDINGS.map(({ record }) => record));

export const DASHBOARDS = readdirSync(join(CHART, 'files/dashboards')).map((name) => ({
  name,
  dashboard: JSON.parse(readFileSync(join(CHART, 'files/dashboards', name), 'utf8')) as Dashboard,
}));

/** The queries of alerts, recorded series and dashboards. */
export const QUERIES = [
  ...ALERTS.map(({ alert, expr }) => ({ where: alert, expr })),
  ...RECORDINGS.map(({ record, expr, labels }) => ({ where: `${record} ${labels?.['slo'] ?? ''}`, expr })),
  ...DASHBOARDS.flatMap(({ name, dashboard }) =>
    dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: `${name}: ${title}`, expr }))),
  ),
];

/** Metrics that Prometheus and the kubelets expose. */
export const isForeign = (metric: string): boolean => metric === 'up' || metric.startsWith('kubelet_');

/** The metrics of a query (recorded and foreign ones too) and the labels by which it groups or selects. */
export function partsOf(expr: string): { metrics: string[]; labels: string[] } {
  const grouped = [...expr.matchAll(/(?:by|on) \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(/,\s*/));
  const matched = [...expr.matchAll(/(\w+)\s*(?:=~|!=|=)\s*"/g)].map(([, name]) => name!);
  return {
    metrics: expr.match(/\b(tire_(?!reason|stage|outcome|error_code)[\w:]+|kubelet_\w+|up)\b/g) ?? [],
    labels: [...grouped, ...matched],
  };
}

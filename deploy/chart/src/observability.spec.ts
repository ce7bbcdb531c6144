import { ATTRIBUTES, METRICS } from '@tire/platform';
import { ensureDebianBinary } from '@tire/test-harness';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { type Manifest, ofKind } from './manifests';
import { CACHE, CHART, CHART_CHECKS, REPOSITORY_ROOT } from './paths';
import { ALERTS, type Dashboard, DASHBOARDS, isForeign, partsOf, QUERIES, RECORDED, RULES } from './queries';
import { render } from './render';
import { merged, REQUIRED } from './value-sets';

interface Groups {
  groups: { rules: { alert?: string; record?: string; expr: string; labels?: Record<string, string> }[] }[];
}

const promtool = () => ensureDebianBinary({ package: 'prometheus', path: 'usr/bin/promtool' }, CACHE);

/** The functions that create metrics, by kind. The kind decides the names in Prometheus. */
function exposedNames(): Set<string> {
  const made = execFileSync('git', ['grep', '-hoE', '\\w+\\(METRICS\\.\\w+', '--', 'apps/**/*.ts', 'libs/**/*.ts'], {
    cwd: REPOSITORY_ROOT,
    encoding: 'utf8',
  });
  const namesOf = (line: string): string[] => {
    const [maker, key] = line.trim().split('(METRICS.') as [string, keyof typeof METRICS];
    const name = METRICS[key];
    if (/histogram/i.test(maker)) return ['_bucket', '_sum', '_count'].map((suffix) => name + suffix);
    return /counter/i.test(maker) ? [`${name}_total`] : [name];
  };
  return new Set(made.trim().split('\n').flatMap(namesOf));
}

const LABELS = new Set([
  ...Object.values(ATTRIBUTES).map((name) => name.replaceAll('.', '_')),
  'job',
  'instance',
  'le',
  'slo',
  'persistentvolumeclaim',
]);

describe('dashboards and alerts', () => {
  const exposed = exposedNames();

  it('use metrics that the code creates', () => {
    expect(exposed).toContain('tire_http_server_seconds_bucket');
    expect(exposed).toContain('tire_outbox_oldest_age_seconds');
    expect(exposed).toContain('tire_messages_dead_total');
  });

  it.each(QUERIES)('query metrics that the services expose: $where', ({ expr }) => {
    const { metrics, labels } = partsOf(expr);
    // A constant has none.
    expect(metrics.length > 0 || /^1 - vector\([\d.]+\)$/.test(expr)).toBe(true);
    expect(metrics.filter((name) => !isForeign(name) && !exposed.has(name) && !RECORDED.has(name))).toEqual([]);
    expect(labels.filter((name) => !LABELS.has(name))).toEqual([]);
  });

  it.each(DASHBOARDS)('use only labels in a legend by which the query groups: $name', ({ dashboard }) => {
    for (const { targets } of dashboard.panels) {
      for (const { expr, legendFormat } of targets) {
        const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);
        expect(shown.filter((name) => expr.includes('by (') && !new RegExp(`by \\([^)]*\\b${name}\\b`).test(expr))).toEqual([]);
      }
    }
  });
});

describe('in a cluster', () => {
  const SELECTORS = /\b(?:tire_(?!reason|stage|outcome|error_code)[\w:]+|kubelet_\w+|up)\b(.{0,20})/g;
  let rules: Manifest;
  let dashboards: Dashboard[];

  beforeAll(async () => {
    const manifests = await render(merged(REQUIRED, { metrics: { alerts: true, dashboards: true } }));
    rules = ofKind(manifests, 'PrometheusRule')[0]!;
    const files = ofKind(manifests, 'ConfigMap').filter(({ metadata }) => metadata.labels!['grafana_dashboard']);
    dashboards = files.flatMap(({ data }) => Object.values(data!).map((text) => JSON.parse(text) as Dashboard));
  });

  it('select series of their own namespace only', () => {
    const exprs = [
      ...(rules.spec as unknown as Groups).groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
      ...dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))),
    ];
    expect(exprs).toHaveLength(QUERIES.length);
    const selectors = exprs.flatMap((expr) => [...expr.matchAll(SELECTORS)].map(([, selector]) => selector!));
    expect(selectors.length).toBeGreaterThan(QUERIES.length);
    expect(selectors.filter((selector) => !/^\{namespace=~?"tire"[,}]/.test(selector))).toEqual([]);
  });

  it('record series of their own namespace, with the objectives of the values', async () => {
    const objectives = { apiAvailability: 0.99, apiLatencySeconds: 2.5, completionSeconds: 120 };
    const manifests = await render(merged(REQUIRED, { metrics: { alerts: true, objectives, volumeNamespaces: ['nats', 'postgres'] } }));
    const { groups } = ofKind(manifests, 'PrometheusRule')[0]!.spec as unknown as Groups;
    const given = groups.flatMap((group) => group.rules);
    const recorded = given.filter(({ record }) => record);
    expect(recorded.filter(({ labels }) => labels!['namespace'] !== 'tire')).toEqual([]);
    const of = (record: string, slo: string) => recorded.find((rule) => rule.record === record && rule.labels!['slo'] === slo)!.expr;
    expect(of('tire_slo:budget:ratio', 'api_availability')).toBe('1 - vector(0.99)');
    expect(of('tire_slo:budget:ratio', 'pages')).toBe('1 - vector(0.999)');
    expect(of('tire_slo:errors:ratio_rate5m', 'api_latency')).toContain('le=~"2.5|2.5.0"');
    expect(of('tire_slo:errors:ratio_rate6h', 'completion')).toContain('le=~"120|120.0"');
    expect(given.find(({ alert }) => alert === 'TireVolumeFull')!.expr).toContain('{namespace=~"nats|postgres|tire"}');
  });

  it('have an id per release', () => {
    const ids = dashboards.map(({ uid }) => uid);
    expect(ids.filter((uid) => !/^tire-[0-9a-f]{8}-[a-z]+$/.test(uid))).toEqual([]);
    expect(new Set(ids).size).toBe(DASHBOARDS.length);
  });

  it('are valid rules for Prometheus', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tire-rules-'));
    try {
      await writeFile(join(folder, 'rules.yaml'), stringify(rules.spec));
      const { stdout } = await promisify(execFile)(await promtool(), ['check', 'rules', join(folder, 'rules.yaml')]);
      expect(stdout).toContain(`SUCCESS: ${RULES.length} rules found`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the observability compose file', () => {
  it('is a valid Prometheus configuration with the alerts of the chart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tire-prometheus-'));
    try {
      const file = join(folder, 'prometheus.yml');
      const text = readFileSync(join(REPOSITORY_ROOT, 'deploy/compose/prometheus.yaml'), 'utf8');
      await writeFile(file, text.replace('/etc/prometheus/alerts.yaml', join(CHART, 'files/alerts.yaml')));
      const { stdout } = await promisify(execFile)(await promtool(), ['check', 'config', file]);
      expect(stdout).toContain('1 rule files found');
      expect(stdout).toContain(`SUCCESS: ${RULES.length} rules found`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the alerts', () => {
  it('fire on their condition and not below it', async () => {
    const { stdout } = await promisify(execFile)(await promtool(), ['test', 'rules', join(CHART_CHECKS, 'alerts.test.yaml')]);
    expect(stdout).toContain('SUCCESS');
  });

  it.each(ALERTS)('$alert has a test that fires, a test that does not, and an entry in the runbook', ({ alert, annotations }) => {
    const tests = readFileSync(join(CHART_CHECKS, 'alerts.test.yaml'), 'utf8');
    expect(tests).toMatch(new RegExp(`alertname: ${alert}\\n\\s+exp_alerts:\\n`));
    expect(tests).toContain(`alertname: ${alert}, exp_alerts: []`);
    expect(annotations.runbook_url).toBe(`RUNBOOK.md#${alert.toLowerCase()}`);
    expect(readFileSync(join(CHART, 'RUNBOOK.md'), 'utf8')).toContain(`\n## ${alert}\n`);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { component, type Manifest, ofKind, type Workload, workloads } from './manifests';
import { CHART } from './paths';
import { render } from './render';
import { merged, ON_GPUS } from './value-sets';

const SERVICES = [
  'assets',
  'content',
  'gateway',
  'inference-fallback',
  'inference-sidewall',
  'inference-tread',
  'ledger',
  'share',
] as const;
const ON_GPU: readonly string[] = ['inference-sidewall', 'inference-tread'];
/** A service behind an ingress is ready when its HTTP port is. */
const PUBLIC: readonly string[] = ['gateway', 'share'];

const GIVEN = {
  extraEnv: [{ name: 'TZ', value: 'UTC' }],
  nodeSelector: { pool: 'tires' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  autoscaling: { enabled: true },
};

/** Every optional part is enabled. */
describe('every service', () => {
  let manifests: Manifest[];

  beforeAll(async () => {
    manifests = await render(merged(ON_GPUS, { metrics: { serviceMonitor: true }, defaults: GIVEN }));
  });

  const servicesWith = (...kinds: string[]): string[] => [
    ...new Set(
      ofKind(manifests, ...kinds)
        .map(component)
        .filter((name) => (SERVICES as readonly string[]).includes(name)),
    ),
  ];

  it.each([
    ['Deployment'],
    ['Service'],
    ['ServiceAccount'],
    ['PodDisruptionBudget'],
    ['NetworkPolicy'],
    ['ServiceMonitor'],
    ['HorizontalPodAutoscaler', 'ScaledObject'],
  ])('has a %s', (...kinds) => expect(servicesWith(...kinds).sort()).toEqual(SERVICES));

  it.each(SERVICES)('%s has the common settings, spreads its pods, and has probes', (name) => {
    const isIts = ({ manifest }: Workload): boolean => manifest.kind === 'Deployment' && component(manifest) === name;
    const { pod } = workloads(manifests).find(isIts)!;
    const container = pod.containers[0]!;
    expect(container.env).toEqual(expect.arrayContaining(GIVEN.extraEnv));
    expect(pod.nodeSelector).toMatchObject(GIVEN.nodeSelector);
    expect(pod.tolerations).toEqual(expect.arrayContaining(GIVEN.tolerations));
    expect(pod.topologySpreadConstraints).toHaveLength(2);
    const alive = { httpGet: { path: '/health/live', port: 'operations' } };
    const ready = PUBLIC.includes(name) ? { httpGet: { path: '/health/ready', port: 'operations' } } : { grpc: { port: 50_051 } };
    expect(container).toMatchObject({ startupProbe: alive, livenessProbe: alive, readinessProbe: ready });
    expect(ON_GPU.includes(name)).toBe(JSON.stringify(container.resources).includes('nvidia.com/gpu'));
  });

  it('has no subcharts', () => {
    expect(parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))).not.toHaveProperty('dependencies');
  });
});

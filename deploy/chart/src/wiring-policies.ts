import { component, type Container, environmentOf, type Manifest, ofKind, selects, workloads } from './manifests';
import { forContainers, forWorkloads, nameOf, type Policy } from './policy';

const labelsOfPods = (manifests: readonly Manifest[]) => workloads(manifests).map(({ labels }) => labels);

/** Selectors without matching pods. */
const dangling =
  (kind: string, selectorOf: (manifest: Manifest) => Record<string, string> | undefined) =>
  (manifests: readonly Manifest[]): string[] =>
    ofKind(manifests, kind)
      .filter((manifest) => !labelsOfPods(manifests).some((labels) => selects(selectorOf(manifest), labels)))
      .map(nameOf);

const backends = (manifest: Manifest): string[] =>
  [...JSON.stringify(manifest.spec).matchAll(/"(?:service":\{"name|backendRefs":\[\{"name)":"([^"]+)"/g)].map(([, name]) => name!);

export const AVAILABILITY: Policy[] = [
  {
    name: 'a new pod is ready before an old one stops, unless it needs the GPU of the old one',
    kubeLinter: ['no-rolling-update-strategy'],
    polaris: [],
    violations: (manifests) =>
      ofKind(manifests, 'Deployment')
        .filter(({ spec }) => {
          const gpu = JSON.stringify(spec?.template?.spec.containers).includes('nvidia.com/gpu');
          const { type, rollingUpdate } = spec?.['strategy'] as { type: string; rollingUpdate: { maxUnavailable: number } };
          return type !== 'RollingUpdate' || (!gpu && rollingUpdate.maxUnavailable !== 0);
        })
        .map(nameOf),
  },
  {
    name: 'pods have time to finish their work',
    kubeLinter: [],
    polaris: [],
    violations: (manifests) =>
      ofKind(manifests, 'Deployment')
        .filter(({ spec }) => (spec?.template?.spec.terminationGracePeriodSeconds ?? 0) < 40)
        .map(nameOf),
  },
  {
    name: 'a disruption budget allows a node drain, and an unhealthy pod does not block it',
    kubeLinter: ['pdb-max-unavailable', 'pdb-min-available', 'pdb-unhealthy-pod-eviction-policy'],
    polaris: [
      'pdbDisruptionsIsZero',
      'pdbMinAvailableEqualToHPAMinReplicas',
      'pdbMinAvailableGreaterThanHPAMaxReplicas',
      'pdbMinAvailableGreaterThanHPAMinReplicas',
    ],
    // Kubernetes accepts maxUnavailable or minAvailable, not both.
    violations: (manifests) =>
      ofKind(manifests, 'PodDisruptionBudget')
        .filter(
          ({ spec }) =>
            [undefined, 0, '0%'].includes(spec?.['maxUnavailable'] as string) || spec?.['unhealthyPodEvictionPolicy'] !== 'AlwaysAllow',
        )
        .map(nameOf),
  },
  {
    name: 'autoscalers have a range, and replicas are not set twice',
    kubeLinter: [],
    polaris: ['hpaMaxAvailability'],
    violations: (manifests) => {
      const scaled = new Map(
        ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject').map((s) => [(s.spec?.['scaleTargetRef'] as { name: string }).name, s]),
      );
      return [
        ...ofKind(manifests, 'HorizontalPodAutoscaler')
          .filter(({ spec }) => !spec?.minReplicas || (spec.maxReplicas ?? 0) <= spec.minReplicas)
          .map(nameOf),
        ...ofKind(manifests, 'Deployment')
          .filter(({ metadata, spec }) => (spec?.replicas === undefined) !== scaled.has(metadata.name))
          .map(nameOf),
      ];
    },
  },
  {
    name: 'jobs end, and only servers restart',
    kubeLinter: [],
    polaris: [],
    violations: forWorkloads(
      ({ manifest, pod }) => ['Job', 'Pod'].includes(manifest.kind) && !['Never', 'OnFailure'].includes(pod.restartPolicy ?? ''),
    ),
  },
];

/** All addresses, and a private range that must be excluded. */
const ANYWHERE: Readonly<Record<string, string>> = { '0.0.0.0/0': '10.0.0.0/8', '::/0': 'fc00::/7' };

export const WIRING: Policy[] = [
  {
    name: 'selectors select pods of this release',
    kubeLinter: ['dangling-service', 'dangling-networkpolicy', 'mismatching-selector'],
    polaris: [],
    violations: (manifests) => [
      ...dangling('Service', ({ spec }) => spec?.selector)(manifests),
      ...dangling('PodDisruptionBudget', ({ spec }) => spec?.selector?.matchLabels)(manifests),
      ...ofKind(manifests, 'Deployment', 'StatefulSet')
        .filter(({ spec }) => !selects(spec?.selector?.matchLabels, spec?.template?.metadata.labels ?? {}))
        .map(nameOf),
      ...dangling('NetworkPolicy', ({ spec }) => spec?.podSelector?.matchLabels)(manifests),
    ],
  },
  {
    name: 'routes, autoscalers and monitors refer to existing objects',
    kubeLinter: ['dangling-ingress', 'dangling-horizontalpodautoscaler', 'dangling-servicemonitor', 'invalid-target-ports'],
    polaris: ['httpRouteCrossNamespaceBackendRef', 'httpRouteWildcardOrEmptyHost'],
    violations: (manifests) => {
      const named = (kind: string) => new Set(ofKind(manifests, kind).map(({ metadata }) => metadata.name));
      return [
        ...ofKind(manifests, 'Ingress', 'HTTPRoute').filter(
          (m) => backends(m).length === 0 || backends(m).some((name) => !named('Service').has(name)),
        ),
        ...ofKind(manifests, 'HTTPRoute').filter(({ spec }) => {
          const hosts = (spec?.['hostnames'] ?? ['']) as string[];
          return hosts.some((host) => host === '' || host.includes('*')) || /"backendRefs":\[[^\]]*"namespace"/.test(JSON.stringify(spec));
        }),
        ...ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject').filter(
          ({ spec }) => !named('Deployment').has((spec?.['scaleTargetRef'] as { name: string }).name),
        ),
        ...ofKind(manifests, 'ServiceMonitor').filter(
          ({ spec }) => !ofKind(manifests, 'Service').some(({ metadata }) => selects(spec?.selector?.matchLabels, metadata.labels ?? {})),
        ),
      ].map(nameOf);
    },
  },
  {
    name: 'services of an ingress have a cluster address, services for gRPC are headless',
    kubeLinter: [],
    polaris: [],
    violations: (manifests) => {
      const services = ofKind(manifests, 'Service');
      const isHeadless = (name: string) => services.some(({ metadata, spec }) => metadata.name === name && spec?.clusterIP === 'None');
      const speaks = (name: string, port: number) =>
        services.some(({ metadata, spec }) => metadata.name === name && spec?.ports?.some((open) => open.port === port));
      const calls = ({ env = [] }: Container) =>
        env.flatMap(({ name, value = '' }) => (name.endsWith('_GRPC_URL') ? [/^([^.]+)\..*:(\d+)$/.exec(value) ?? ['', value, '0']] : []));
      return [
        ...ofKind(manifests, 'Ingress', 'HTTPRoute')
          .filter((route) => backends(route).some(isHeadless))
          .map(nameOf),
        ...forContainers((container) => calls(container).some(([, name, port]) => !isHeadless(name!) || !speaks(name!, Number(port))))(
          manifests,
        ),
      ];
    },
  },
  {
    name: 'only the ingress is exposed, with TLS',
    kubeLinter: ['exposed-services'],
    polaris: ['tlsSettingsMissing'],
    violations: (manifests) => [
      ...ofKind(manifests, 'Service')
        .filter(({ spec }) => ['NodePort', 'LoadBalancer'].includes(String(spec?.['type'])))
        .map(nameOf),
      ...ofKind(manifests, 'Ingress')
        .filter(({ spec }) => !spec?.['tls'])
        .map(nameOf),
    ],
  },
  {
    name: 'health and metrics are not public',
    kubeLinter: [],
    polaris: [],
    violations: (manifests) =>
      ofKind(manifests, 'Ingress', 'HTTPRoute')
        .filter(({ spec }) =>
          [...JSON.stringify(spec).matchAll(/"(?:path|value)":"(\/[^"]*)"/g)].some(
            ([, path]) => !['/api/v1', '/docs', '/console', '/r', '/c', '/capture', '/s'].includes(path!),
          ),
        )
        .map(nameOf),
  },
  {
    name: 'objects are in the namespace of the release and use current API versions',
    kubeLinter: ['use-namespace', 'no-extensions-v1beta'],
    polaris: [],
    violations: (manifests) =>
      manifests.filter(({ apiVersion, metadata }) => metadata.namespace !== 'tire' || /extensions|beta/.test(apiVersion)).map(nameOf),
  },
];

/** If network policies are enabled. */
export const NETWORK: Policy[] = [
  {
    name: 'every pod has a policy for both directions',
    kubeLinter: ['non-isolated-pod'],
    polaris: ['missingNetworkPolicy'],
    violations: (manifests) =>
      workloads(manifests)
        .filter(
          ({ labels }) =>
            !ofKind(manifests, 'NetworkPolicy').some(
              ({ spec }) => selects(spec?.podSelector?.matchLabels, labels) && spec?.policyTypes?.join() === 'Ingress,Egress',
            ),
        )
        .map(({ manifest }) => nameOf(manifest)),
  },
  {
    name: 'only assets, share and a gateway that sends text messages reach the internet, without private addresses',
    kubeLinter: [],
    polaris: [],
    violations: (manifests) => {
      const sendsTexts = workloads(manifests).filter(({ pod }) =>
        pod.containers.some((container) => 'SMS_URL' in environmentOf(container)),
      );
      const allowed = ['assets', 'share', ...sendsTexts.map(({ manifest }) => component(manifest)).filter((name) => name === 'gateway')];
      return ofKind(manifests, 'NetworkPolicy').flatMap((policy) => {
        const egress = policy.spec?.egress ?? [];
        const internet = egress.flatMap(({ to = [] }) =>
          to.flatMap(({ ipBlock }) => (ipBlock && ipBlock.cidr in ANYWHERE ? [ipBlock] : [])),
        );
        const open = internet.some(({ cidr, except = [] }) => !except.includes(ANYWHERE[cidr]!));
        const unknown = egress.some(({ to, ports }) => to === undefined || ports === undefined);
        return (internet.length > 0 && !allowed.includes(component(policy))) || open || unknown ? [nameOf(policy)] : [];
      });
    },
  },
  {
    name: 'a policy selects existing pods',
    kubeLinter: ['dangling-networkpolicypeer-podselector'],
    polaris: [],
    violations: (manifests) =>
      ofKind(manifests, 'NetworkPolicy')
        .filter(({ spec }) => {
          const peers = [...(spec?.ingress ?? []).flatMap(({ from = [] }) => from), ...(spec?.egress ?? []).flatMap(({ to = [] }) => to)];
          return peers.some(
            ({ podSelector, namespaceSelector }) =>
              podSelector && !namespaceSelector && !labelsOfPods(manifests).some((labels) => selects(podSelector.matchLabels, labels)),
          );
        })
        .map(nameOf),
  },
];

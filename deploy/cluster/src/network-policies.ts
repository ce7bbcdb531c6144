/** The parts of Kubernetes objects that decide whether two pods may talk. */
export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
}

type Labels = Readonly<Record<string, string>>;

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Labels;
}

interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly protocol?: string;
}

export interface Pod {
  readonly metadata: Metadata;
  readonly spec: { readonly hostNetwork?: boolean; readonly containers: readonly { readonly ports?: readonly ContainerPort[] }[] };
  readonly status: { readonly podIP?: string; readonly phase?: string };
}

export interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Port {
  readonly protocol?: string;
  readonly port?: number | string;
  readonly endPort?: number;
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly Port[];
}

export interface Policy {
  readonly metadata: Metadata;
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

export interface Namespace {
  readonly metadata: Metadata;
}

export interface Policies {
  readonly pods: readonly Pod[];
  readonly policies: readonly Policy[];
  readonly namespaces: readonly Namespace[];
}

type Direction = 'ingress' | 'egress';

/** Where the other side of a rule is: a match of nftables, and the pod if it is one. */
interface Target {
  readonly match: string;
  readonly pod?: Pod;
}

export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels = {}): boolean {
  const fits = ({ key, operator, values = [] }: NonNullable<Selector['matchExpressions']>[number]): boolean => {
    const value = labels[key];
    if (operator === 'Exists') return value !== undefined;
    if (operator === 'DoesNotExist') return value === undefined;
    return values.includes(value ?? '') === (operator === 'In');
  };
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value) && matchExpressions.every(fits);
}

const isLive = ({ spec, status }: Pod): boolean =>
  status.podIP !== undefined && !spec.hostNetwork && ['Pending', 'Running'].includes(status.phase ?? '');

function targetsOf(peer: Peer, policy: Policy, { pods, namespaces }: Policies, side: string): Target[] {
  if (peer.ipBlock) {
    const { cidr, except = [] } = peer.ipBlock;
    if (cidr.includes(':')) return [];
    const without = except.filter((one) => !one.includes(':'));
    // nftables has no match for every address.
    const within = cidr === '0.0.0.0/0' ? '' : `ip ${side} ${cidr} `;
    return [{ match: `${within}${without.length > 0 ? `ip ${side} != { ${without.join(', ')} } ` : ''}` }];
  }
  const labelsOf = (name: string | undefined) => namespaces.find(({ metadata }) => metadata.name === name)?.metadata.labels;
  const fits = ({ metadata }: Pod): boolean =>
    (peer.namespaceSelector
      ? selects(peer.namespaceSelector, labelsOf(metadata.namespace))
      : metadata.namespace === policy.metadata.namespace) && selects(peer.podSelector ?? {}, metadata.labels);
  return pods.filter((pod) => isLive(pod) && fits(pod)).map((pod) => ({ match: `ip ${side} ${pod.status.podIP} `, pod }));
}

function numberOf(port: number | string, protocol: string, pod: Pod | undefined): number | undefined {
  if (typeof port === 'number') return port;
  const all = pod?.spec.containers.flatMap(({ ports = [] }) => ports) ?? [];
  return all.find((one) => one.name === port && (one.protocol ?? 'TCP') === protocol)?.containerPort;
}

function acceptsOf({ match }: Target, ports: readonly Port[], receiver: Pod | undefined): string[] {
  if (ports.length === 0) return [`${match}accept`];
  return ports.flatMap(({ protocol = 'TCP', port, endPort }) => {
    if (port === undefined) return [`${match}meta l4proto ${protocol.toLowerCase()} accept`];
    const number = numberOf(port, protocol, receiver);
    return number === undefined ? [] : [`${match}${protocol.toLowerCase()} dport ${number}${endPort ? `-${endPort}` : ''} accept`];
  });
}

function rulesOf(pod: Pod, direction: Direction, policies: readonly Policy[], cluster: Policies): string[] {
  const side = direction === 'ingress' ? 'saddr' : 'daddr';
  const rules = policies.flatMap((policy) =>
    (policy.spec[direction] ?? []).flatMap(({ from, to, ports = [] }) => {
      const peers = direction === 'ingress' ? from : to;
      const targets = peers?.length ? peers.flatMap((peer) => targetsOf(peer, policy, cluster, side)) : [{ match: '' }];
      return targets.flatMap((target: Target) => acceptsOf(target, ports, direction === 'ingress' ? pod : target.pod));
    }),
  );
  return [...new Set(rules)];
}

const appliesTo = ({ metadata, spec }: Policy, pod: Pod, direction: Direction): boolean =>
  metadata.namespace === pod.metadata.namespace &&
  selects(spec.podSelector, pod.metadata.labels) &&
  (spec.policyTypes ?? ['Ingress']).some((type) => type.toLowerCase() === direction);

/** The hook of a direction, and a chain for each pod that a policy isolates. What leaves a pod is asked first, then what enters one. */
function chainsOf(direction: Direction, cluster: Policies): string[] {
  const isolated = cluster.pods.filter(isLive).flatMap((pod) => {
    const policies = cluster.policies.filter((policy) => appliesTo(policy, pod, direction));
    return policies.length > 0 ? [{ pod, policies, name: `${direction}_${pod.status.podIP!.replaceAll('.', '_')}` }] : [];
  });
  const own = direction === 'ingress' ? 'daddr' : 'saddr';
  const priority = direction === 'egress' ? -10 : -5;
  const jumps = isolated.map(({ pod, name }) => `${pod.status.podIP} : jump ${name}`);
  return [
    ...isolated.map(
      ({ pod, policies, name }) => `chain ${name} { ${[...rulesOf(pod, direction, policies, cluster), 'drop'].join('; ')}; }`,
    ),
    `chain ${direction} { type filter hook forward priority ${priority}; policy accept; ct state established,related accept; ` +
      `${jumps.length > 0 ? `ip ${own} vmap { ${jumps.join(', ')} }; ` : ''}}`,
  ];
}

/**
 * The NetworkPolicies of a cluster of one node as a table of nftables, for IPv4. Pods are routed, so the forward hook sees each packet
 * between two of them, after the address of a service was replaced by that of a pod.
 */
export const tableOf = (cluster: Policies): string =>
  [
    'table ip policies',
    'delete table ip policies',
    'table ip policies {',
    ...(['egress', 'ingress'] as const).flatMap((direction) => chainsOf(direction, cluster)),
    '}',
  ].join('\n');

/** The parts of the Kubernetes types that the checks read. The schemas check the whole. */

export interface Container {
  name: string;
  image: string;
  imagePullPolicy?: string;
  command?: string[];
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
  ports?: { name: string; containerPort: number; hostPort?: number }[];
  resources?: { requests?: Record<string, string | number>; limits?: Record<string, string | number> };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    privileged?: boolean;
    readOnlyRootFilesystem?: boolean;
    runAsNonRoot?: boolean;
    runAsUser?: number;
    capabilities?: { drop?: string[]; add?: string[] };
    seccompProfile?: { type: string };
    procMount?: string;
  };
  readinessProbe?: object;
  livenessProbe?: object;
  startupProbe?: object;
  volumeMounts?: { name: string; mountPath: string }[];
}

export interface PodSpec {
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  restartPolicy?: string;
  runtimeClassName?: string;
  terminationGracePeriodSeconds?: number;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string }; sysctls?: unknown[] };
  containers: Container[];
  initContainers?: Container[];
  volumes?: ({ name: string } & Record<string, unknown>)[];
  nodeSelector?: Record<string, string>;
  tolerations?: object[];
  topologySpreadConstraints?: object[];
  imagePullSecrets?: { name: string }[];
}

export type Labels = Record<string, string>;

export interface Peer {
  podSelector?: { matchLabels?: Labels };
  namespaceSelector?: object;
  ipBlock?: { cidr: string; except?: string[] };
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels };
  data?: Record<string, string>;
  automountServiceAccountToken?: boolean;
  spec?: {
    [key: string]: unknown;
    replicas?: number;
    minReplicas?: number;
    clusterIP?: string;
    ports?: { name: string; port: number }[];
    maxReplicas?: number;
    selector?: { matchLabels?: Labels } & Labels;
    podSelector?: { matchLabels?: Labels };
    template?: { metadata: { labels: Labels; annotations?: Labels }; spec: PodSpec };
    policyTypes?: string[];
    ingress?: { from?: Peer[]; ports?: object[] }[];
    egress?: { to?: Peer[]; ports?: { port: number | string }[] }[];
  };
}

export const ofKind = (manifests: readonly Manifest[], ...kinds: string[]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind));

export interface Workload {
  readonly manifest: Manifest;
  readonly labels: Labels;
  readonly pod: PodSpec;
}

export function workloads(manifests: readonly Manifest[]): Workload[] {
  return ofKind(manifests, 'Deployment', 'StatefulSet', 'Job', 'Pod').map((manifest) => {
    const { template } = manifest.spec ?? {};
    return template
      ? { manifest, labels: template.metadata.labels, pod: template.spec }
      : { manifest, labels: manifest.metadata.labels ?? {}, pod: manifest.spec as unknown as PodSpec };
  });
}

export const containersOf = ({ pod }: Workload): Container[] => [...(pod.initContainers ?? []), ...pod.containers];

export const component = ({ metadata }: Manifest): string => metadata.labels?.['app.kubernetes.io/component'] ?? '';

export const selects = (selector: Labels | undefined, labels: Labels): boolean =>
  selector !== undefined && Object.entries(selector).every(([name, value]) => labels[name] === value);

/** The environment variables of a container whose values are in the manifest. */
export const environmentOf = ({ env = [] }: Container): Record<string, string> =>
  Object.fromEntries(env.map(({ name, value }) => [name, value ?? 'from a secret']));

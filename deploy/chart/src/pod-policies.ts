import { ofKind, type Workload, workloads } from './manifests';
import { forContainers, forWorkloads, nameOf, type Policy } from './policy';

const isServer = ({ manifest }: Workload): boolean => ['Deployment', 'StatefulSet'].includes(manifest.kind);
export const RESTRICTED: Policy[] = [
  {
    name: 'no host namespaces, ports, paths, sysctls or /proc of the host',
    kubeLinter: [
      'host-ipc',
      'host-network',
      'host-pid',
      'docker-sock',
      'sensitive-host-mounts',
      'writable-host-mount',
      'unsafe-sysctls',
      'unsafe-proc-mount',
    ],
    polaris: ['hostIPCSet', 'hostPIDSet', 'hostNetworkSet', 'hostPortSet', 'hostPathSet', 'hostProcess', 'procMount'],
    violations: forWorkloads(
      ({ pod }) =>
        Boolean(pod.hostIPC || pod.hostNetwork || pod.hostPID || pod.securityContext?.sysctls) ||
        (pod.volumes ?? []).some((volume) => 'hostPath' in volume) ||
        [...(pod.initContainers ?? []), ...pod.containers].some(
          ({ ports, securityContext }) => ports?.some(({ hostPort }) => hostPort) || securityContext?.procMount,
        ),
    ),
  },
  {
    name: 'containers are not privileged and cannot become it',
    kubeLinter: ['privileged-container', 'privilege-escalation-container', 'scc-deny-privileged-container'],
    polaris: ['runAsPrivileged', 'privilegeEscalationAllowed'],
    violations: forContainers(
      ({ securityContext }) => securityContext?.privileged !== false || securityContext.allowPrivilegeEscalation !== false,
    ),
  },
  {
    name: 'no container runs as root',
    kubeLinter: ['run-as-non-root'],
    polaris: ['runAsRootAllowed'],
    violations: forContainers(
      ({ securityContext }, { pod }) =>
        securityContext?.runAsNonRoot !== true || pod.securityContext?.runAsNonRoot !== true || pod.securityContext.runAsUser === 0,
    ),
  },
  {
    name: 'all capabilities are dropped and the default seccomp profile is on',
    kubeLinter: ['drop-net-raw-capability'],
    polaris: ['dangerousCapabilities', 'insecureCapabilities', 'linuxHardening'],
    violations: forContainers(
      ({ securityContext }) =>
        securityContext?.capabilities?.drop?.join() !== 'ALL' ||
        securityContext.capabilities.add !== undefined ||
        securityContext.seccompProfile?.type !== 'RuntimeDefault',
    ),
  },
  {
    name: 'the root file system is read-only',
    kubeLinter: ['no-read-only-root-fs'],
    polaris: ['notReadOnlyRootFilesystem'],
    violations: forContainers(({ securityContext }) => securityContext?.readOnlyRootFilesystem !== true),
  },
  {
    name: 'each pod has its own service account, without a token',
    kubeLinter: ['default-service-account', 'deprecated-service-account-field', 'non-existent-service-account'],
    polaris: ['automountServiceAccountToken'],
    violations: (manifests) =>
      forWorkloads(
        ({ pod }) =>
          pod.automountServiceAccountToken !== false ||
          !ofKind(manifests, 'ServiceAccount').some(
            (account) => account.metadata.name === pod.serviceAccountName && account.automountServiceAccountToken === false,
          ),
      )(manifests),
  },
  {
    name: 'no service account has permissions at the API of the cluster',
    kubeLinter: ['access-to-secrets', 'access-to-create-pods', 'cluster-admin-role-binding', 'wildcard-in-rules'],
    polaris: [
      'clusterrolebindingClusterAdmin',
      'rolebindingClusterAdminClusterRole',
      'rolebindingClusterAdminRole',
      'clusterrolePodExecAttach',
      'clusterrolebindingPodExecAttach',
      'rolePodExecAttach',
      'rolebindingClusterRolePodExecAttach',
      'rolebindingRolePodExecAttach',
    ],
    violations: (manifests) => ofKind(manifests, 'Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding').map(nameOf),
  },
];

const SECRET_NAME = /PASSWORD|SECRET|_KEY$|TOKEN/;
const SECRET_ENTRY = /password|secret|token|bearer|_key$/i;

export const CONTAINERS: Policy[] = [
  {
    name: 'an image has a digest or a tag that is not latest',
    kubeLinter: ['latest-tag'],
    polaris: ['tagNotSpecified'],
    violations: forContainers(({ image }) => !/(@sha256:[0-9a-f]{64}|:[\w.-]+)$/.test(image) || /:latest$/.test(image)),
  },
  {
    name: 'every container has a pull policy',
    kubeLinter: [],
    polaris: [],
    violations: forContainers(({ imagePullPolicy }) => !imagePullPolicy),
  },
  {
    name: 'every container has CPU and memory requests and a memory limit',
    kubeLinter: ['unset-cpu-requirements', 'unset-memory-requirements'],
    polaris: ['cpuRequestsMissing', 'memoryRequestsMissing', 'memoryLimitsMissing'],
    violations: forContainers(
      ({ resources }) => !resources?.requests?.['cpu'] || !resources.requests['memory'] || !resources.limits?.['memory'],
    ),
  },
  {
    name: 'every server has probes',
    kubeLinter: ['no-liveness-probe', 'no-readiness-probe'],
    polaris: ['livenessProbeMissing', 'readinessProbeMissing'],
    violations: (manifests) =>
      workloads(manifests)
        .filter(isServer)
        .flatMap(({ manifest, pod }) =>
          pod.containers.filter((c) => !c.livenessProbe || !c.readinessProbe).map((c) => `${nameOf(manifest)} ${c.name}`),
        ),
  },
  {
    name: 'probes use ports of their container',
    kubeLinter: ['liveness-port', 'readiness-port', 'startup-port'],
    polaris: [],
    violations: forContainers(({ livenessProbe, readinessProbe, startupProbe, ports = [] }) => {
      const probedPorts = [...JSON.stringify([livenessProbe, readinessProbe, startupProbe]).matchAll(/"port":(?:"([a-z]+)"|(\d+))/g)];
      return probedPorts.some(([, name, number]) => !ports.some((port) => port.name === name || port.containerPort === Number(number)));
    }),
  },
  {
    name: 'no manifest contains a secret value',
    kubeLinter: ['env-var-secret'],
    polaris: ['sensitiveContainerEnvVar', 'sensitiveConfigmapContent'],
    violations: (manifests) => [
      ...ofKind(manifests, 'Secret').map(nameOf),
      ...ofKind(manifests, 'ConfigMap')
        .filter(({ data = {} }) => Object.entries(data).some(([key, text]) => SECRET_ENTRY.test(key) || /PRIVATE KEY-/.test(text)))
        .map(nameOf),
      ...forContainers(({ env = [] }) =>
        env.some(({ name, value = '' }) => (SECRET_NAME.test(name) && value !== '') || /:\/\/[^/@]*:[^/@]*@/.test(value)),
      )(manifests),
    ],
  },
  {
    name: 'no environment variable is listed twice (server-side apply refuses that)',
    kubeLinter: ['duplicate-env-var'],
    polaris: [],
    violations: forContainers(({ env = [] }) => new Set(env.map(({ name }) => name)).size !== env.length),
  },
  {
    name: 'no port below 1024, no SSH',
    kubeLinter: ['privileged-ports', 'ssh-port'],
    polaris: [],
    violations: forContainers(({ ports = [] }) => ports.some(({ containerPort }) => containerPort < 1024)),
  },
];

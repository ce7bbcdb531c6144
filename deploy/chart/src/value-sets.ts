import type { Values } from './render';

const SHA = 'a'.repeat(64);

/** The required values, as in the README. */
export const REQUIRED: Values = {
  host: 'tire.example.com',
  trustedProxies: ['10.244.0.0/16'],
  database: { host: 'tire-rw.postgres.svc', existingSecret: 'tire-database' },
  nats: { url: 'nats://nats.nats.svc:4222', usersSecret: 'tire-nats' },
  serviceIdentity: { existingSecret: 'tire-services' },
  objectStore: { endpoint: 'https://s3.example.com', bucket: 'tire', existingSecret: 'tire-s3' },
  networkPolicies: { objectStoreTo: [{ ipBlock: { cidr: '203.0.113.0/24' } }] },
};

export const OPEN_ID = { issuer: 'https://login.example.com:8443/shop', clientId: 'console', existingSecret: 'tire-openid', name: 'Shop' };

export const SMS = {
  ...{ url: 'https://sms.example/messages', from: '021234567', success: 'ok=true', existingSecret: 'tire-sms' },
  ...{ headers: { Authorization: 'Bearer {{secret}}' }, body: { to: '{{to}}', parts: [{ text: '{{text}}' }] } },
};

const KEDA = { enabled: true, prometheusAddress: 'http://prometheus.monitoring.svc:9090' };

const INFERENCE = ['inference-tread', 'inference-sidewall', 'inference-fallback'];
const ALL = ['gateway', 'ledger', 'assets', 'content', 'share', ...INFERENCE];
const forServices = (names: readonly string[], values: Values): Values => ({
  services: Object.fromEntries(names.map((name) => [name, values])),
});

const PODS: Values = {
  extraEnv: [{ name: 'TZ', value: 'UTC' }],
  extraEnvFrom: [{ configMapRef: { name: 'more' } }],
  extraVolumes: [{ name: 'more', configMap: { name: 'more' } }],
  extraVolumeMounts: [{ name: 'more', mountPath: '/more', readOnly: true }],
  podLabels: { team: 'tires' },
  podAnnotations: { 'example.com/a': 'b' },
  serviceAccountAnnotations: { 'example.com/role': 'tire' },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'tire', effect: 'NoSchedule' }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }],
      },
    },
  },
  priorityClassName: 'high',
  topologySpread: false,
  drainDelaySeconds: 15,
  terminationGracePeriodSeconds: 55,
  settings: { LOG_LEVEL: 'debug' },
};

/** The switches of the chart, with a name for each position. */
export const SWITCHES: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
  place: {
    production: {},
    trial: { environment: 'trial' },
    bundledServers: {
      environment: 'trial',
      devDependencies: { enabled: true },
      database: { host: '' },
      nats: { url: '' },
      objectStore: { endpoint: '' },
      networkPolicies: { objectStoreTo: [{ namespaceSelector: {} }, { ipBlock: { cidr: '203.0.113.0/24' } }] },
    },
  },
  ingress: {
    plain: {},
    off: { ingress: { enabled: false } },
    classed: { ingress: { className: 'nginx', tls: { existingSecret: 'cert' } } },
    bare: { ingress: { tls: { enabled: false } } },
  },
  gatewayApi: { off: {}, on: { gatewayApi: { enabled: true, parentRefs: [{ name: 'edge', namespace: 'edge', sectionName: 'https' }] } } },
  console: {
    off: {},
    on: { console: { enabled: true, existingSecret: 'tire-console' } },
    openId: { console: { enabled: true, openId: OPEN_ID }, networkPolicies: { openIdTo: [{ ipBlock: { cidr: '198.51.100.0/24' } }] } },
  },
  sms: { off: {}, on: { sms: SMS } },
  shareHost: { same: {}, own: { shareHost: 'share.example.com' } },
  network: {
    on: {},
    off: { networkPolicies: { enabled: false } },
    narrow: {
      networkPolicies: {
        publicFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
        databaseTo: [{ ipBlock: { cidr: '10.1.0.0/16' } }],
        objectStoreTo: [{ ipBlock: { cidr: '10.2.0.0/16' } }],
        objectStorePorts: [8333],
        dnsTo: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }],
        internetPorts: [443, 8443],
      },
    },
  },
  metrics: { off: {}, on: { metrics: { serviceMonitor: true, alerts: true, dashboards: true, labels: { release: 'prometheus' } } } },
  telemetry: { off: {}, on: { telemetry: { otlpEndpoint: 'http://collector.observability.svc:4318' } } },
  accelerator: {
    cpu: {},
    nvidia: { inference: { accelerator: 'nvidia', nvidia: { nodeSelector: { gpu: 'l4' }, runtimeClassName: 'nvidia' } } },
  },
  fallback: { off: {}, on: { services: { 'inference-fallback': { enabled: true } } } },
  models: {
    image: {},
    volume: { inference: { models: { source: 'volume', existingClaim: 'models', subPath: 'v2' } } },
    bucket: {
      inference: { models: { source: 'bucket', manifests: [{ url: 'https://models.example.com/tread/manifest.json', sha256: SHA }] } },
    },
    privateBucket: {
      inference: {
        models: {
          source: 'bucket',
          manifests: [{ url: 'https://s3.example.com/models/tread/manifest.json', sha256: SHA }],
          existingSecret: 'models',
        },
      },
    },
  },
  scaling: {
    fixed: {},
    hpa: forServices(ALL, { autoscaling: { enabled: true } }),
    keda: { inference: { keda: KEDA }, metrics: { serviceMonitor: true } },
    kedaToZero: {
      inference: { keda: KEDA },
      // The query needs this metric.
      metrics: { serviceMonitor: true },
      ...forServices(INFERENCE.slice(0, 2), { autoscaling: { minReplicas: 0 } }),
    },
  },
  migrations: {
    hook: {},
    job: { migrations: { mode: 'job', podAnnotations: { 'sidecar.istio.io/inject': 'false' }, extraEnv: [{ name: 'TZ', value: 'UTC' }] } },
    none: { migrations: { mode: 'none' } },
    brief: { migrations: { activeDeadlineSeconds: 60, backoffLimit: 0 } },
  },
  test: { measured: {}, created: { test: { measured: false } }, patient: { test: { existingSecret: 'key', measuredWithinSeconds: 900 } } },
  images: {
    tag: { image: { tag: '1.2.3' } },
    digests: { image: { digests: { gateway: `sha256:${SHA}`, 'inference-cuda': `sha256:${SHA}` }, pullSecrets: [{ name: 'pull' }] } },
    mirror: { image: { registry: 'mirror.example.com:5000', pullPolicy: 'Always' } },
  },
  credentials: {
    plain: {},
    secret: {
      nats: { url: '', existingSecret: 'tire-nats' },
      networkPolicies: { natsTo: [{ namespaceSelector: {} }] },
      trustedCa: { existingSecret: 'ca' },
      database: { sslMode: 'no-verify' },
    },
  },
  addresses: { four: {}, six: { listenAddress: '::' } },
  user: { ours: {}, platforms: { defaults: { runAsUser: null } } },
  names: {
    plain: {},
    own: { fullnameOverride: 'inspections', commonLabels: { owner: 'tires' }, commonAnnotations: { 'example.com/c': 'd' } },
  },
  pods: { plain: {}, dressed: { defaults: PODS } },
  budgets: { one: {}, percent: { defaults: { pdb: { maxUnavailable: '25%' } } }, off: { defaults: { pdb: { enabled: false } } } },
  extras: {
    none: {},
    some: {
      extraObjects: [
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'extra', namespace: '{{ .Release.Namespace }}' }, data: { a: 'b' } },
      ],
    },
  },
};

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

export function merged(...parts: readonly Values[]): Values {
  const whole: Values = {};
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) {
      const before = whole[key];
      whole[key] = isMap(value) ? merged(isMap(before) ? before : {}, value) : value;
    }
  }
  return whole;
}

/** GPU workers of both kinds, scaled by KEDA, with the fallback. */
export const ON_GPUS = merged(REQUIRED, {
  inference: { accelerator: 'nvidia', keda: KEDA, nvidia: { nodeSelector: { gpu: 'l4' } } },
  metrics: { serviceMonitor: true },
  services: { 'inference-fallback': { enabled: true }, 'inference-tread': { autoscaling: { minReplicas: 0 } } },
});

export type Choice = Readonly<Record<string, string>>;

/** Bundled servers include a NATS without credentials. Production requires TLS. */
const fits = ({ place, credentials, ingress }: Choice): boolean =>
  !(place === 'bundledServers' && credentials === 'secret') && !(place === 'production' && ingress === 'bare');

const pairsOf = (choice: Choice): string[] => {
  const chosen = Object.entries(choice).map(([name, position]) => `${name}=${position}`);
  return chosen.flatMap((one, index) => chosen.slice(index + 1).map((other) => `${one} ${other}`));
};

function allPairs(): Set<string> {
  const positions = Object.entries(SWITCHES).map(([name, all]) => Object.keys(all).map((position) => [name, position] as const));
  const pairs = positions.flatMap((some, index) =>
    some.flatMap((one) =>
      positions
        .slice(index + 1)
        .flat()
        .map((other) => Object.fromEntries([one, other]) as Choice),
    ),
  );
  return new Set(pairs.filter(fits).flatMap(pairsOf));
}

/** A deterministic pseudo-random generator. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const CANDIDATES = 60;
const SETS_MIN = 40;

/** Pairwise combinations: any two positions of any two switches occur together at least once. */
export function choices(): Choice[] {
  const roll = dice(20_260_101);
  const throwOne = (): Choice =>
    Object.fromEntries(
      Object.entries(SWITCHES).map(([name, positions]) => [name, Object.keys(positions)[roll(Object.keys(positions).length)]!] as const),
    );
  const open = allPairs();
  const chosen: Choice[] = [Object.fromEntries(Object.entries(SWITCHES).map(([name, positions]) => [name, Object.keys(positions)[0]!]))];
  pairsOf(chosen[0]!).forEach((pair) => open.delete(pair));
  while (open.size > 0 || chosen.length < SETS_MIN) {
    const gain = (choice: Choice): number => pairsOf(choice).filter((pair) => open.has(pair)).length;
    const candidates = Array.from({ length: CANDIDATES }, throwOne).filter(fits);
    const best = candidates.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    pairsOf(best).forEach((pair) => open.delete(pair));
    chosen.push(best);
  }
  return chosen;
}

export const valuesOf = (choice: Choice): Values =>
  merged(
    REQUIRED,
    ...Object.entries(SWITCHES)
      .map(([name, positions]) => ({ name, values: positions[choice[name]!]! }))
      .map(({ values }) => values),
  );

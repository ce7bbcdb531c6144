import { sampled } from '@tire/test-harness';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from './manifests';
import { CHART, CHART_CHECKS } from './paths';
import { NOT_MADE, POLICIES } from './policies';
import { lint, notes, render } from './render';
import { manifestChecker } from './schemas';
import { choices, merged, OPEN_ID, REQUIRED, SWITCHES, valuesOf } from './value-sets';
import { readValueKeys, type ValueKey } from './values-file';
import { valuesSchema } from './values-schema';
import { withTable } from './values-table';
import { NETWORK } from './wiring-policies';

const SETS = choices().map((choice) => ({
  choice,
  title: Object.entries(choice)
    .filter(([name, position]) => position !== Object.keys(SWITCHES[name]!)[0])
    .map((pair) => pair.join(' '))
    .join(', '),
}));

describe('the chart under every pair of switches', () => {
  const faultsOf = manifestChecker();

  it('is tested with at least 40 sets of values', () => expect(SETS.length).toBeGreaterThanOrEqual(40));

  it.each(sampled(SETS, 3))('renders, is valid and keeps the policies: $title', async ({ choice }) => {
    const manifests = await render(valuesOf(choice));
    expect(manifests.length).toBeGreaterThan(25);
    expect(manifests.flatMap(faultsOf)).toEqual([]);
    const policies = choice['network'] === 'off' ? POLICIES : [...POLICIES, ...NETWORK];
    const violations = policies.flatMap(({ name, violations: broken }) => broken(manifests).map((what) => `${name}: ${what}`));
    const withoutTls = choice['ingress'] === 'bare' ? [expect.stringContaining('the ingress is exposed, with TLS: Ingress/')] : [];
    expect(violations).toEqual(withoutTls);
    const names = manifests.map(({ apiVersion, kind, metadata }) => `${apiVersion}/${kind}/${metadata.name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('passes helm lint, also with everything enabled', async () => {
    const everything = valuesOf(Object.fromEntries(Object.entries(SWITCHES).map(([name, all]) => [name, Object.keys(all)[1]!])));
    for (const values of [REQUIRED, everything]) expect(await lint(values)).toContain('0 chart(s) failed');
  });

  it('has notes with names of existing objects', async () => {
    const text = await notes(REQUIRED);
    expect(text).toContain('exec -i deploy/tire-tire-inspection-gateway --');
    expect(text).not.toContain('--owner-email');
    expect(await notes(merged(REQUIRED, { console: { enabled: true } }))).toMatch(
      /--owner-email [^]*https:\/\/tire\.example\.com\/console/,
    );
    expect(text).toContain('https://tire.example.com/api/v1');
    expect(text).not.toContain('trustedProxies');
    expect(await notes(merged(REQUIRED, { environment: 'trial', trustedProxies: [] }))).toContain('trustedProxies is empty');
  });
});

describe('the values', () => {
  it('match the schema and the README (npm run generate:chart)', () => {
    const keys = readValueKeys();
    expect(JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(valuesSchema(keys))));
    const readme = readFileSync(join(CHART, 'README.md'), 'utf8');
    expect(withTable(readme, keys)).toBe(readme);
  });

  it('each have a description', () => {
    const silent = (keys: readonly ValueKey[]): string[] =>
      keys.flatMap((key) =>
        key.keys.length > 0 && key.path[0] !== 'services'
          ? silent(key.keys)
          : key.description || key.path[0] === 'services'
            ? []
            : [key.path.join('.')],
      );
    expect(silent(readValueKeys())).toEqual([]);
  });

  it.each([
    ['at the top', { hsot: 'x' }],
    ['in a group', { database: { hots: 'x' } }],
    ['of a service', { services: { gateway: { replcas: 3 } } }],
    ['among the services', { services: { gatewya: {} } }],
    ['deep in a service', { services: { ledger: { autoscaling: { min: 1 } } } }],
    ['in an object of Kubernetes', { defaults: { tolerations: [{ keyy: 'a' }] } }],
    ['in the resources', { services: { share: { resources: { request: {} } } } }],
    ['among the settings of a service', { services: { content: { settings: { RATE_LIMIT_BURST: 3 } } } }],
    ['that the chart sets', { services: { content: { settings: { NATS_URL: 'nats://x' } } } }],
  ])('refuse an unknown key %s', async (_where, values) => {
    await expect(render(merged(REQUIRED, values))).rejects.toThrow(/additional properties|propertyName/);
  });

  it.each([
    ['devDependencies in production', { devDependencies: { enabled: true } }, /devDependencies.enabled: refused/],
    ['no TLS in production', { ingress: { tls: { enabled: false } } }, /ingress.tls.enabled/],
    ['an ingress in production whose address is unknown', { trustedProxies: [] }, /trustedProxies: the addresses/],
    [
      'a gateway in production whose address is unknown',
      { trustedProxies: [], ingress: { enabled: false }, gatewayApi: { enabled: true, parentRefs: [{ name: 'edge' }] } },
      /trustedProxies: the addresses/,
    ],
    ['KEDA without an address of Prometheus', { inference: { keda: { enabled: true } } }, /inference.keda.prometheusAddress/],
    [
      'KEDA on a metric that is not scraped',
      { inference: { keda: { enabled: true, prometheusAddress: 'http://prometheus:9090' } } },
      /metrics.serviceMonitor: needed for inference.keda.query/,
    ],
    ['zero pods without KEDA', { services: { ledger: { autoscaling: { enabled: true, minReplicas: 0 } } } }, /only KEDA/],
    [
      'zero pods of the fallback, which KEDA does not scale',
      {
        inference: { keda: { enabled: true, prometheusAddress: 'http://prometheus:9090' } },
        services: { 'inference-fallback': { autoscaling: { enabled: true, minReplicas: 0 } } },
      },
      /inference-fallback.autoscaling.minReplicas: only KEDA/,
    ],
    ['an unsupported NATS protocol', { nats: { url: 'ws://nats:4222' } }, /pattern/],
    ['models from a volume without a claim', { inference: { models: { source: 'volume' } } }, /existingClaim/],
    [
      'a grace period that is too short for the drain delay',
      { defaults: { drainDelaySeconds: 25 } },
      /content.terminationGracePeriodSeconds: at least 60/,
    ],
    ['minReadySeconds above the progress deadline', { defaults: { minReadySeconds: 600 } }, /maximum/],
    ['a grace period below the minimum', { defaults: { terminationGracePeriodSeconds: 10 } }, /minimum/],
    ['an invalid digest', { image: { digests: { gateway: 'sha256:12' } } }, /pattern/],
    [
      'an S3 server outside the cluster without peers',
      { networkPolicies: { objectStoreTo: [] } },
      /objectStoreTo: the addresses of s3.example.com/,
    ],
    [
      'a Postgres outside the cluster without peers',
      { database: { host: 'tire.example.com' } },
      /databaseTo: the addresses of tire.example.com/,
    ],
    [
      'one of several NATS servers outside the cluster without peers',
      { nats: { url: 'nats://a.nats.svc,nats://b.example.com:4222' } },
      /natsTo: the addresses of b.example.com/,
    ],
    [
      'a NATS address in a secret without peers',
      { nats: { url: '', existingSecret: 'nats' } },
      /natsTo: the peers of NATS, because its address/,
    ],
    [
      'an OpenID provider outside the cluster without peers',
      { console: { openId: OPEN_ID } },
      /openIdTo: the addresses of login.example.com/,
    ],
    ['an OpenID provider without a client id', { console: { openId: { issuer: 'https://login.svc' } } }, /console.openId.clientId/],
    [
      'a variable twice',
      { services: { gateway: { settings: { LOG_LEVEL: 'debug' }, extraEnv: [{ name: 'LOG_LEVEL', value: 'info' }] } } },
      /services.gateway.extraEnv: LOG_LEVEL is listed twice/,
    ],
    ['a variable of the chart', { defaults: { extraEnv: [{ name: 'OTEL_SERVICE_NAME', value: 'x' }] } }, /OTEL_SERVICE_NAME is listed/],
    ['credentials in an address', { nats: { url: 'nats://user:password@nats:4222' } }, /pattern/],
  ])('refuse %s', async (_what, values, message) => {
    await expect(render(merged(REQUIRED, values))).rejects.toThrow(message);
  });

  it('report all missing values at once', async () => {
    const message = await render({}).then(
      () => '',
      (error: Error) => error.message,
    );
    for (const name of ['host', 'database.host', 'nats.url', 'objectStore.endpoint']) expect(message).toContain(`  ${name}: `);
  });
});

describe('the policies', () => {
  it.each(['kubeLinter', 'polaris'] as const)('implement each check of %s by name, or state a reason, and no other check', (linter) => {
    const lists = JSON.parse(readFileSync(join(CHART_CHECKS, 'linter-checks.json'), 'utf8')) as Record<string, { names: string[] }>;
    const others = Object.keys(lists).filter((name) => name !== linter);
    const made = [...POLICIES, ...NETWORK].flatMap((policy) => policy[linter]);
    const notMade = Object.keys(NOT_MADE).filter((name) => !others.some((other) => lists[other]!.names.includes(name)));
    expect([...made, ...notMade].sort()).toEqual([...lists[linter]!.names].sort());
  });

  /** A change that violates each policy. It proves that the policy detects something. */
  const BREAKS: Readonly<Record<string, readonly [pattern: RegExp | string, replacement: string]>> = {
    'no host namespaces, ports, paths, sysctls or /proc of the host': ['"enableServiceLinks":false', '"hostNetwork":true'],
    'containers are not privileged and cannot become it': ['"privileged":false', '"privileged":true'],
    'no container runs as root': ['"runAsUser":10001', '"runAsUser":0'],
    'all capabilities are dropped and the default seccomp profile is on': ['"drop":["ALL"]', '"drop":["ALL"],"add":["NET_ADMIN"]'],
    'the root file system is read-only': ['"readOnlyRootFilesystem":true', '"readOnlyRootFilesystem":false'],
    'each pod has its own service account, without a token': ['"serviceAccountName":"', '"serviceAccountName":"x'],
    'no service account has permissions at the API of the cluster': [/"kind":"ServiceAccount"/, '"kind":"RoleBinding"'],
    'an image has a digest or a tag that is not latest': [/(inspection\/\w+):0.1.0/, '$1:latest'],
    'every container has a pull policy': ['"imagePullPolicy":"IfNotPresent",', ''],
    'every container has CPU and memory requests and a memory limit': [/"limits":\{"memory":"\w+"\}/, '"limits":{}'],
    'every server has probes': ['"livenessProbe"', '"x"'],
    'probes use ports of their container': ['"grpc":{"port":50051}', '"grpc":{"port":50052}'],
    'no manifest contains a secret value': ['{"name":"DRAIN_DELAY_MS"', '{"name":"A_PASSWORD"'],
    'no environment variable is listed twice (server-side apply refuses that)': ['{"name":"PGPASSWORD"', '{"name":"PGSSLMODE"'],
    'no port below 1024, no SSH': ['"containerPort":8080', '"containerPort":80'],
    'a new pod is ready before an old one stops, unless it needs the GPU of the old one': ['"maxUnavailable":0', '"maxUnavailable":1'],
    'pods have time to finish their work': [/"terminationGracePeriodSeconds":\d+/, '"terminationGracePeriodSeconds":30'],
    'a disruption budget allows a node drain, and an unhealthy pod does not block it': ['"maxUnavailable":1,', '"maxUnavailable":0,'],
    'autoscalers have a range, and replicas are not set twice': ['"replicas":2,', ''],
    'jobs end, and only servers restart': ['"restartPolicy":"Never"', '"restartPolicy":"Always"'],
    'selectors select pods of this release': [/("selector":\{"app.kubernetes.io\/name":")tire/, '$1other'],
    'routes, autoscalers and monitors refer to existing objects': ['"service":{"name":"', '"service":{"name":"x'],
    'services of an ingress have a cluster address, services for gRPC are headless': ['-share-grpc.tire', '-share.tire'],
    'only the ingress is exposed, with TLS': ['"clusterIP":"None"', '"type":"NodePort"'],
    'health and metrics are not public': ['"path":"/r"', '"path":"/"'],
    'objects are in the namespace of the release and use current API versions': ['"namespace":"tire"', '"namespace":"other"'],
    'every pod has a policy for both directions': ['"policyTypes":["Ingress","Egress"]', '"policyTypes":["Ingress"]'],
    'only assets, share and a gateway that sends text messages reach the internet, without private addresses': ['"10.0.0.0/8",', ''],
    'a policy selects existing pods': [/("from":\[\{"podSelector":\{"matchLabels":\{"app.kubernetes.io\/name":")tire/, '$1other'],
  };

  let text: string;

  beforeAll(async () => {
    text = JSON.stringify(await render(REQUIRED));
  });

  it('treat 0.0.0.0/0 as the internet for any purpose', async () => {
    const manifests = await render(merged(REQUIRED, { networkPolicies: { objectStoreTo: [{ ipBlock: { cidr: '0.0.0.0/0' } }] } }));
    const [policy] = NETWORK.filter(({ name }) => name.includes('internet'));
    expect(policy!.violations(manifests)).toEqual(
      expect.arrayContaining(['inference-sidewall', 'inference-tread'].map((name) => `NetworkPolicy/tire-tire-inspection-${name}`)),
    );
  });

  it.each([...POLICIES, ...NETWORK])('detect a violation: $name', ({ name, violations }) => {
    const [pattern, replacement] = BREAKS[name]!;
    const broken = text.replace(pattern, replacement);
    expect(broken).not.toBe(text);
    expect(violations(JSON.parse(text) as Manifest[])).toEqual([]);
    expect(violations(JSON.parse(broken) as Manifest[])).not.toEqual([]);
  });
});

import { ATTRIBUTES, METRICS } from '@tire/platform';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configuration } from './configuration';
import { component, type Container, environmentOf, type Manifest, ofKind, workloads } from './manifests';
import { REPOSITORY_ROOT } from './paths';
import { render } from './render';
import { merged, ON_GPUS, OPEN_ID, REQUIRED, SMS } from './value-sets';

const containerOf = (manifests: readonly Manifest[], name: string): Container =>
  workloads(manifests).find(({ manifest }) => manifest.kind === 'Deployment' && component(manifest) === name)!.pod.containers[0]!;

/** Variables that Node, the Postgres client and OpenTelemetry read. */
const STANDARD = /^(NODE_EXTRA_CA_CERTS|PGPASSWORD|PGSSLMODE|OTEL_\w+)$/;

describe('the environment', () => {
  const known = configuration();
  let manifests: Manifest[];

  beforeAll(async () => {
    manifests = await render(
      merged(ON_GPUS, { trustedCa: { existingSecret: 'ca' }, telemetry: { otlpEndpoint: 'http://collector:4318' } }),
    );
  });

  it('has the required variables of each service, and no unknown one', () => {
    const services = ofKind(manifests, 'Deployment').map(component);
    expect(services).toHaveLength(8);
    for (const service of services) {
      const container = containerOf(manifests, service);
      const set = Object.keys(environmentOf(container));
      const variables = known[container.name]!;
      expect(variables.filter(({ name, required }) => required && !set.includes(name))).toEqual([]);
      expect(set.filter((name) => !STANDARD.test(name) && !variables.some((variable) => variable.name === name))).toEqual([]);
    }
  });

  it('lets services listen on IPv6 addresses', async () => {
    for (const address of ['0.0.0.0', '::']) {
      const deployments = ofKind(await render(merged(ON_GPUS, { listenAddress: address })), 'Deployment');
      for (const deployment of deployments) {
        const container = containerOf([deployment], component(deployment));
        const { HTTP_HOST, GRPC_HOST } = environmentOf(container);
        const speaksGrpc = container.ports!.some(({ name }) => name === 'grpc');
        expect([HTTP_HOST, GRPC_HOST]).toEqual([address, speaksGrpc ? address : undefined]);
      }
    }
  });

  it('sets the trusted proxies of the gateway and the share pages', async () => {
    const deployments = ofKind(await render(merged(REQUIRED, { trustedProxies: ['10.0.0.0/8', 'fd00::/8'] })), 'Deployment');
    const given = deployments.map((one) => [component(one), environmentOf(containerOf([one], component(one)))['TRUSTED_PROXIES']]);
    expect(given.filter(([, proxies]) => proxies !== undefined).sort()).toEqual([
      ['gateway', '10.0.0.0/8,fd00::/8'],
      ['share', '10.0.0.0/8,fd00::/8'],
    ]);
  });

  it('reads the OpenID client secret from a secret', async () => {
    const values = { console: { openId: OPEN_ID }, networkPolicies: { openIdTo: [{ namespaceSelector: {} }] } };
    const { env = [] } = containerOf(await render(merged(REQUIRED, values)), 'gateway');
    const given = env.filter(({ name }) => name.startsWith('CONSOLE_OIDC_'));
    expect(given.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.secretKeyRef?.name])).toEqual([
      ['CONSOLE_OIDC_ISSUER', OPEN_ID.issuer],
      ['CONSOLE_OIDC_CLIENT_ID', OPEN_ID.clientId],
      ['CONSOLE_OIDC_CLIENT_SECRET', OPEN_ID.existingSecret],
      ['CONSOLE_OIDC_NAME', OPEN_ID.name],
    ]);
  });

  it('reads the password of the mail server from a secret', async () => {
    const mail = { host: 'mail.tire.svc', from: 'Shop <mail@shop.example>', user: 'gateway', existingSecret: 'tire-mail' };
    const { env = [] } = containerOf(await render(merged(REQUIRED, { mail })), 'gateway');
    const given = env.filter(({ name }) => name.startsWith('SMTP_'));
    expect(given.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.secretKeyRef?.name])).toEqual([
      ['SMTP_HOST', mail.host],
      ['SMTP_PORT', '587'],
      ['SMTP_TLS', 'starttls'],
      ['SMTP_FROM', mail.from],
      ['SMTP_USER', mail.user],
      ['SMTP_PASSWORD', mail.existingSecret],
    ]);
    await expect(render(merged(REQUIRED, { mail: { ...mail, from: '' } }))).rejects.toThrow('mail.from');
    await expect(render(merged(REQUIRED, { mail: { ...mail, existingSecret: '' } }))).rejects.toThrow('mail.existingSecret');
  });

  it('gives the gateway the interface of the provider of text messages and its secret from a secret', async () => {
    const sms = SMS;
    const { env = [] } = containerOf(await render(merged(REQUIRED, { sms })), 'gateway');
    const given = env.filter(({ name }) => name.startsWith('SMS_'));
    expect(given.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.secretKeyRef?.name])).toEqual([
      ['SMS_URL', sms.url],
      ['SMS_METHOD', 'POST'],
      ['SMS_HEADERS', JSON.stringify(sms.headers)],
      ['SMS_BODY', JSON.stringify({ parts: sms.body.parts, to: '{{to}}' })],
      ['SMS_IDEMPOTENT', 'false'],
      ['SMS_FROM', sms.from],
      ['SMS_SUCCESS', sms.success],
      ['SMS_SECRET', 'tire-sms'],
    ]);
  });

  it.each([
    ['sms.body', { body: {} }],
    ['sms.body', { body: { to: '{{to}}' } }],
    ['sms.body', { body: { number: '{{from}}', text: '{{text}}' } }],
    ['sms.existingSecret', { existingSecret: '' }],
    ['sms.existingSecret', { headers: { Authorization: 'Bearer none' } }],
    ['sms.from', { from: '', body: { from: '{{ from }}' } }],
    ['sms.idempotent', { idempotent: true }],
    ['networkPolicies.internetPorts', { url: 'https://sms.example:8443/messages' }],
  ])('refuses an interface with a fault in %s: %j', async (fault, change) => {
    const sms = 'body' in change && !('from' in change) ? { ...SMS, ...change } : merged(SMS, change);
    await expect(render(merged(REQUIRED, { sms }))).rejects.toThrow(`${fault}:`);
  });

  it('takes an interface without a fault', async () => {
    const sms = merged(SMS, { url: 'https://sms.example:8443/messages', idempotent: true, body: { from: '{{from}}', key: '{{ id }}' } });
    await expect(render(merged(REQUIRED, { sms, networkPolicies: { internetPorts: [443, 8443] } }))).resolves.toBeDefined();
  });

  it('has the required variables of each migration, with the owner role', () => {
    const jobs = workloads(manifests).filter(({ manifest }) => manifest.kind === 'Job');
    expect(jobs).toHaveLength(5);
    for (const { pod } of jobs) {
      const { env = [], command } = pod.containers[0]!;
      const names = env.map(({ name }) => name);
      expect(known['Migrations']!.filter(({ name }) => !names.includes(name))).toEqual([]);
      expect(env.find(({ name }) => name === 'PGPASSWORD')?.valueFrom?.secretKeyRef?.key).toMatch(/-owner-password$/);
      expect(existsSync(join(REPOSITORY_ROOT, command![1]!.replace(/^dist\//, '').replace(/\.js$/, '.ts')))).toBe(true);
    }
  });

  it('keeps the sum of all connection pools below the default limit of Postgres', () => {
    const pods = ofKind(manifests, 'Deployment').filter(
      (deployment) => 'DATABASE_URL' in environmentOf(containerOf(manifests, component(deployment))),
    );
    const connections = pods.reduce((sum, { spec }) => sum + (spec?.replicas ?? 0) * 10, 0);
    expect(connections).toBeLessThanOrEqual(100);
  });
});

describe('inference on GPU nodes', () => {
  let manifests: Manifest[];

  beforeAll(async () => {
    manifests = await render(ON_GPUS);
  });

  it.each(['inference-tread', 'inference-sidewall'])('%s has the CUDA image, a GPU, its nodes, and CUDA before the CPU', (name) => {
    const { pod } = workloads(manifests).find(({ manifest }) => component(manifest) === name && manifest.kind === 'Deployment')!;
    const container = pod.containers[0]!;
    expect(container.image).toMatch(/\/inference-cuda:/);
    expect(container.resources).toMatchObject({ requests: { 'nvidia.com/gpu': 1, cpu: '1' }, limits: { 'nvidia.com/gpu': 1 } });
    expect(pod.nodeSelector).toEqual({ gpu: 'l4' });
    expect(pod.tolerations).toContainEqual({ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' });
    expect(environmentOf(container)).toMatchObject({
      EXECUTION_PROVIDERS: 'cuda,cpu',
      INFERENCE_OPERATIONS: name.replace('inference-', 'tire.'),
    });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(60);
  });

  it('leaves the fallback on the CPU for both kinds', () => {
    const container = containerOf(manifests, 'inference-fallback');
    expect(container.image).toMatch(/\/inference:/);
    expect(JSON.stringify(container.resources)).not.toContain('gpu');
    expect(environmentOf(container)).toMatchObject({ EXECUTION_PROVIDERS: 'cpu', INFERENCE_OPERATIONS: 'tire.tread,tire.sidewall' });
  });

  it('sets memory for CUDA and restarts workers below the limit, unless the values override it', async () => {
    const own = { settings: { MEMORY_CEILING_MIB: 3000 }, resources: { limits: { memory: '4Gi' } } };
    const changed = await render(merged(ON_GPUS, { services: { 'inference-sidewall': own } }));
    const memoryOf = (name: string) => {
      const { env = [], resources } = containerOf(changed, name);
      const ceilings = env.filter((variable) => variable.name === 'MEMORY_CEILING_MIB').map(({ value }) => value);
      return [...ceilings, resources!.limits!['memory']];
    };
    expect(memoryOf('inference-tread')).toEqual(['6144', '8Gi']);
    expect(memoryOf('inference-sidewall')).toEqual(['3000', '4Gi']);
    expect(memoryOf('inference-fallback')).toEqual(['3Gi']);
  });

  it.each(['tire.tread', 'tire.sidewall'])('scales by the number of images that wait for %s in the ledger', (kind) => {
    const { spec } = ofKind(manifests, 'ScaledObject').find((object) => component(object) === kind.replace('tire.', 'inference-'))!;
    const query = `max(${METRICS.slotsWaiting}{namespace="tire", ${ATTRIBUTES.kind}="${kind}"})`;
    // By default KEDA treats a missing series as 0. The ledger reports none while Postgres is slow.
    expect(spec!['triggers']).toEqual([
      expect.objectContaining({ type: 'prometheus', metadata: expect.objectContaining({ query, ignoreNullValues: 'false' }) }),
    ]);
  });

  it('scales to zero if configured', () => {
    const floors = ofKind(manifests, 'ScaledObject').map((object) => [component(object), object.spec!['minReplicaCount']]);
    expect(Object.fromEntries(floors)).toEqual({ 'inference-tread': 0, 'inference-sidewall': 1 });
  });
});

describe('migrations', () => {
  it('run before the services as hooks, after their service account and policy', async () => {
    const hooks = (await render(REQUIRED)).filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade');
    const weights = hooks.map(({ kind, metadata }) => `${kind} ${metadata.annotations!['helm.sh/hook-weight']}`);
    expect([...new Set(weights)].sort()).toEqual(['Job 0', 'NetworkPolicy -5', 'ServiceAccount -5']);
  });

  it('leave nothing behind as hooks, because their objects do not belong to the release', async () => {
    const hooks = (await render(REQUIRED)).filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade');
    expect(hooks).toHaveLength(15);
    const kept = hooks.filter(
      ({ metadata }) => !metadata.annotations!['helm.sh/hook-delete-policy']!.split(',').includes('hook-succeeded'),
    );
    expect(kept).toEqual([]);
  });

  it('have a deadline as hooks only, because an expired job is never retried', async () => {
    const deadlines = async (mode: string) =>
      ofKind(await render(merged(REQUIRED, { migrations: { mode } })), 'Job').map(({ spec }) => spec!['activeDeadlineSeconds']);
    expect(await deadlines('hook')).toEqual(Array.from({ length: 5 }, () => 540));
    expect(await deadlines('job')).toEqual(Array.from({ length: 5 }, () => undefined));
  });

  it('have names that are valid as pod labels for any release name', async () => {
    const long = await render(merged(REQUIRED, { fullnameOverride: 'a'.repeat(60), migrations: { mode: 'job' } }));
    const names = ofKind(long, 'Job').map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(5);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(63);
  });

  it('follow the scheduling of the services, as tests and the bucket job do, with the configured annotations and variables', async () => {
    const podAnnotations = { 'sidecar.istio.io/inject': 'false' };
    const migrations = { podAnnotations, extraEnv: [{ name: 'TZ', value: 'UTC' }] };
    const placement = {
      priorityClassName: 'high',
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
      nodeSelector: { pool: 'tires' },
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    };
    const trial = { environment: 'trial', devDependencies: { enabled: true } };
    const manifests = await render(merged(REQUIRED, trial, { migrations, test: { podAnnotations }, defaults: placement }));
    const oneOffs = workloads(manifests).filter(({ manifest }) => ['Job', 'Pod'].includes(manifest.kind));
    expect(oneOffs).toHaveLength(8);
    for (const { manifest, pod, labels } of oneOffs) {
      expect(pod).toMatchObject(placement);
      expect((manifest.spec!.template ?? manifest).metadata.annotations).toMatchObject(podAnnotations);
      if (labels['app.kubernetes.io/component']!.startsWith('migrate-')) {
        expect(environmentOf(pod.containers[0]!)).toMatchObject({ TZ: 'UTC' });
      }
    }
  });

  it.each([
    ['image', { image: { tag: '1.0.1' } }],
    ['tolerance of taints', { defaults: { tolerations: [{ key: 'dedicated', operator: 'Exists' }] } }],
    ['user', { defaults: { runAsUser: 20_001 } }],
    ['authority', { trustedCa: { existingSecret: 'ca' } }],
    ['label', { commonLabels: { owner: 'tires' } }],
  ])('are new jobs for another %s unless they are hooks, because a job is immutable', async (_what, change) => {
    const trial = { environment: 'trial', devDependencies: { enabled: true }, image: { tag: '1.0.0' } };
    const jobs = async (values: object) =>
      ofKind(await render(merged(REQUIRED, trial, { ...values })), 'Job').map(({ metadata, spec }) => [metadata.name, spec] as const);
    const [one, same, other] = await Promise.all([jobs({}), jobs({}), jobs(change)]);
    expect(one).toHaveLength(6);
    expect(same).toEqual(one);
    const specOf = new Map(one);
    for (const [name, spec] of other) if (specOf.has(name)) expect(spec).toEqual(specOf.get(name));
    expect(other.filter(([name]) => name.includes('-migrate-') && specOf.has(name))).toEqual([]);
  });
});

describe('the images', () => {
  const imagesOf = async (values: object) =>
    [
      ...new Set(
        workloads(await render(merged(REQUIRED, { environment: 'trial' }, { ...values }))).flatMap(({ pod }) =>
          pod.containers.map(({ image }) => image),
        ),
      ),
    ].sort();

  it('come from one registry if it is set, third-party images too', async () => {
    const mirrored = await imagesOf({ image: { registry: 'mirror.example.com' }, devDependencies: { enabled: true } });
    expect(mirrored).toHaveLength(9);
    expect(mirrored.filter((image) => !image.startsWith('mirror.example.com/'))).toEqual([]);
    expect(mirrored.join()).toMatch(/library\/postgres:.*@sha256:/);
  });

  it.each(['registry.example.com:5000/postgres:18', `postgres@sha256:${'a'.repeat(64)}`])(
    'of a trial may have a tag or a digest: %s',
    async (postgresImage) => expect(await imagesOf({ devDependencies: { enabled: true, postgresImage } })).toContain(postgresImage),
  );

  it.each(['postgres', 'registry.example.com:5000/postgres', 'postgres@sha256:12', 'postgres 18:1'])(
    'of a trial have one of the two, unlike %s',
    async (postgresImage) => expect(imagesOf({ devDependencies: { enabled: true, postgresImage } })).rejects.toThrow(/pattern/),
  );
});

describe('NATS on three servers', () => {
  it('gets replicas for the streams from the ledger, which makes them, if there is a value', async () => {
    const replicasIn = async (values: object) =>
      ofKind(await render(merged(REQUIRED, { ...values })), 'Deployment').flatMap((deployment) => {
        const { NATS_STREAM_REPLICAS: replicas } = environmentOf(deployment.spec!.template!.spec.containers[0]!);
        return replicas === undefined ? [] : [[component(deployment), replicas]];
      });
    expect(await replicasIn({ nats: { streamReplicas: 3 } })).toEqual([['ledger', '3']]);
    expect(await replicasIn({})).toEqual([]);
  });
});

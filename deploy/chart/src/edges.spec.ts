import { component, environmentOf, ofKind } from './manifests';
import { render } from './render';
import { merged, ON_GPUS, OPEN_ID, REQUIRED, SMS } from './value-sets';

describe('the edges', () => {
  /** The calls between services (docs/architecture.md). */
  const CALLERS: Record<string, string[]> = {
    ledger: ['assets', 'content', 'gateway', 'share'],
    assets: ['gateway', 'inference-fallback', 'inference-sidewall', 'inference-tread', 'ledger', 'share'],
    content: ['gateway', 'ledger', 'share'],
    share: ['gateway', 'ledger'],
  };

  it.each(Object.entries(CALLERS))('%s is called by %j only', async (callee, callers) => {
    const policy = ofKind(await render(ON_GPUS), 'NetworkPolicy').find((object) => component(object) === callee)!;
    const peers = policy.spec!.ingress!.flatMap(({ from = [] }) =>
      from.map(({ podSelector }) => podSelector?.matchLabels?.['app.kubernetes.io/component']),
    );
    expect(peers.sort()).toEqual(callers);
  });

  it.each([
    { text: 'assets and share', values: {}, allowed: ['assets', 'share'] },
    { text: 'the gateway too that sends text messages', values: { sms: SMS }, allowed: ['assets', 'gateway', 'share'] },
  ])('allow the internet for $text only, without private ranges', async ({ values, allowed }) => {
    const policies = ofKind(await render(merged(REQUIRED, values)), 'NetworkPolicy');
    const outward = policies.filter(({ spec }) => JSON.stringify(spec).includes('0.0.0.0/0'));
    expect(outward.map(component).sort()).toEqual(allowed);
    for (const policy of outward) {
      const blocks = policy.spec!.egress!.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock] : [])));
      expect(blocks.shift()).toEqual({ cidr: '203.0.113.0/24' });
      expect(blocks).toEqual([
        { cidr: '0.0.0.0/0', except: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16']) },
        { cidr: '::/0', except: ['fc00::/7', 'fe80::/10', '::1/128', '64:ff9b::/96'] },
      ]);
    }
  });

  it('allow the OpenID provider for the gateway only', async () => {
    const peers = { networkPolicies: { openIdTo: [{ ipBlock: { cidr: '198.51.100.0/24' } }] } };
    const policies = ofKind(await render(merged(REQUIRED, { console: { openId: OPEN_ID } }, peers)), 'NetworkPolicy');
    const leading = policies.filter(({ spec }) => JSON.stringify(spec).includes('198.51.100.0/24'));
    expect(leading.map(component)).toEqual(['gateway']);
    expect(leading[0]!.spec!.egress).toContainEqual({ to: peers.networkPolicies.openIdTo, ports: [{ protocol: 'TCP', port: 8443 }] });
  });

  it('allow NATS at the ports of its addresses, and DNS at the configured ports', async () => {
    const values = { nats: { url: 'tls://a.nats.svc:4333,tls://b.nats.svc' }, networkPolicies: { dnsPorts: [5353] } };
    const policy = ofKind(await render(merged(REQUIRED, values)), 'NetworkPolicy').find((object) => component(object) === 'content')!;
    const ports = policy.spec!.egress!.map((rule) => (rule.ports as { port: unknown }[]).map(({ port }) => port));
    expect(ports).toEqual([[5353, 5353], [5432], [4333, 4222], ['grpc']]);
  });

  it('allow the ports of the pods behind an address, beside its own, for each pod that uses it', async () => {
    const values = {
      environment: 'trial',
      devDependencies: { enabled: true },
      database: { port: 6432 },
      console: { openId: OPEN_ID },
      telemetry: { otlpEndpoint: 'http://collector:4318' },
      inference: { models: { source: 'bucket', manifests: [{ url: 'https://m.example.com/manifest.json', sha256: 'a'.repeat(64) }] } },
      networkPolicies: {
        openIdTo: [{ namespaceSelector: {} }],
        databasePorts: [5432, 6432],
        natsPorts: [14_222],
        objectStorePorts: [8333, 8443],
        openIdPorts: [10_443],
        telemetryPorts: [14_318],
      },
    };
    const manifests = await render(merged(REQUIRED, values));
    const portsOf = (name: string) =>
      ofKind(manifests, 'NetworkPolicy')
        .find((object) => component(object) === name)!
        .spec!.egress!.map((rule) => (rule.ports as { port: unknown }[]).map(({ port }) => port));
    const dns = [53, 53];
    const [telemetry, database, nats, store] = [
      [4318, 14_318],
      [6432, 5432],
      [4222, 14_222],
      [443, 8333, 8443],
    ];
    expect(portsOf('gateway')).toEqual([dns, telemetry, database, store, [8443, 10_443], ['grpc'], ['grpc'], ['grpc'], ['grpc']]);
    expect(portsOf('assets')).toEqual([dns, telemetry, database, nats, store, [443], ['grpc']]);
    expect(portsOf('inference-tread')).toEqual([dns, telemetry, nats, store, store, ['grpc']]);
    expect(portsOf('migrate-share')).toEqual([dns, telemetry, database]);
    expect(portsOf('bucket')).toEqual([dns, telemetry, store]);
    expect(portsOf('test')).toEqual([dns, telemetry, store, ['http']]);
  });

  it('allow a NATS server outside the cluster, among several', async () => {
    const values = { environment: 'trial', nats: { url: 'nats://a.nats.svc:4222,nats://b.example.com:4222' } };
    const policy = ofKind(await render(merged(REQUIRED, values)), 'NetworkPolicy').find((object) => component(object) === 'content')!;
    const nats = policy.spec!.egress!.find(({ ports = [] }) => ports.some(({ port }) => port === 4222))!;
    expect(nats.to).toEqual([{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }]);
  });

  it('keep old pods longer than DNS answers are cached (30 s)', async () => {
    const deployments = ofKind(await render(REQUIRED), 'Deployment');
    const patient = deployments.filter(({ spec }) => spec!['minReadySeconds'] !== undefined);
    expect(patient.map(component).sort()).toEqual(Object.keys(CALLERS).sort());
    for (const { spec } of patient) {
      const drainS = Number(environmentOf(spec!.template!.spec.containers[0]!)['DRAIN_DELAY_MS']) / 1000;
      expect(Number(spec!['minReadySeconds']) + drainS).toBeGreaterThanOrEqual(30);
    }
  });

  it('allow the largest request body of the API and little more', async () => {
    const ingress = ofKind(await render(REQUIRED), 'Ingress')[0]!;
    expect(ingress.metadata.annotations).toMatchObject({ 'nginx.ingress.kubernetes.io/proxy-body-size': '300k' });
  });
});

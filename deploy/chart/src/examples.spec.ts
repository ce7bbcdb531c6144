import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { Manifest } from './manifests';
import { CHART } from './paths';
import { POLICIES } from './policies';
import { README } from './readme-commands';
import { render, type Values } from './render';
import { exampleChecker, manifestChecker } from './schemas';
import { merged, REQUIRED } from './value-sets';
import { NETWORK } from './wiring-policies';

const FOLDER = join(CHART, 'examples');
const FILES = readdirSync(FOLDER).sort();
const VALUES = FILES.filter((file) => file.endsWith('-values.yaml'));
const MANIFESTS = FILES.filter((file) => !VALUES.includes(file));

const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const manifestsOf = (file: string): Manifest[] => parseAllDocuments(textOf(file)).map((document) => document.toJS() as Manifest);
const valuesOf = (file: string): Values => parse(textOf(file)) as Values;

it('the README names every example', () => {
  expect(FILES.filter((file) => !README.includes(`(examples/${file})`))).toEqual([]);
});

describe.each(MANIFESTS)('examples/%s', (file) => {
  it('fits the closed schemas of its kinds', () => {
    expect(manifestsOf(file).length).toBeGreaterThan(0);
    expect(manifestsOf(file).flatMap(exampleChecker())).toEqual([]);
  });
});

describe.each(VALUES)('examples/%s', (file) => {
  it('renders valid objects that follow the policies', async () => {
    const manifests = await render(merged(REQUIRED, valuesOf(file)));
    expect(manifests.flatMap(manifestChecker())).toEqual([]);
    const broken = [...POLICIES, ...NETWORK].flatMap(({ name, violations }) => violations(manifests).map((what) => `${name}: ${what}`));
    expect(broken).toEqual([]);
  });
});

describe('the examples together', () => {
  const nameOf = ({ kind, metadata }: Manifest) => `${kind}/${metadata.name}`;
  const specOf = (manifest: Manifest): Values => manifest.spec as unknown as Values;
  const together = VALUES.filter((file) => !file.startsWith('envoy')).map(valuesOf);

  it('make every secret that the pods read, each from the store that the stores of the examples serve', async () => {
    const manifests = (await render(together.reduce((all, values) => merged(all, values), REQUIRED))).filter(
      ({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== 'test',
    );
    const read = [...JSON.stringify(manifests).matchAll(/"(?:secretKeyRef":\{"name|secretName)":"([^"]+)"/g)].map(([, name]) => name!);
    const external = manifestsOf('external-secrets.yaml').map(specOf);
    const made = external.map(({ target }) => (target as { name: string }).name);
    // The certificates come from the operator of Postgres and from cert-manager.
    const others = ['postgres-ca', 'tire-tire-inspection-tls'];
    expect([...new Set(read)].sort()).toEqual([...made, ...others].sort());
    const stores = external.map(({ secretStoreRef }) => secretStoreRef as { kind: string; name: string });
    for (const file of ['secret-store-vault.yaml', 'secret-store-aws.yaml']) {
      const names = manifestsOf(file).map(nameOf);
      expect(stores.map(({ kind, name }) => `${kind}/${name}`).filter((store) => !names.includes(store))).toEqual([]);
    }
  });

  it('name the same issuer, gateway and server of Postgres on both sides', async () => {
    const nginx = valuesOf('ingress-nginx-values.yaml')['ingress'] as { annotations: Record<string, string> };
    const [issuer] = manifestsOf('cert-manager.yaml');
    expect(nginx.annotations['cert-manager.io/cluster-issuer']).toBe(issuer!.metadata.name);
    const [gateway, certificate] = manifestsOf('gateway-certificate.yaml');
    const { parentRefs } = valuesOf('envoy-gateway-values.yaml')['gatewayApi'] as { parentRefs: object[] };
    expect(parentRefs).toEqual([{ name: gateway!.metadata.name, namespace: gateway!.metadata.namespace }]);
    const [{ tls, hostname }] = specOf(gateway!)['listeners'] as [{ tls: { certificateRefs: { name: string }[] }; hostname: string }];
    expect(specOf(certificate!)).toMatchObject({ secretName: tls.certificateRefs[0]!.name, dnsNames: [hostname] });
    const [cluster] = manifestsOf('cloudnative-pg.yaml');
    const { host } = valuesOf('cloudnative-pg-values.yaml')['database'] as { host: string };
    expect(host).toBe(`${cluster!.metadata.name}-rw.${cluster!.metadata.namespace}.svc`);
  });
});

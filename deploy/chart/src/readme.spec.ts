import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { environmentOf, type Manifest, ofKind, workloads } from './manifests';
import { POLICIES } from './policies';
import { BLOCKS, callsOf, blocksWith, README, REGISTRY } from './readme-commands';
import { render, renderAsInstalled } from './render';
import { manifestChecker } from './schemas';
import { merged, REQUIRED } from './value-sets';
import { NETWORK } from './wiring-policies';

const imagesOf = (manifests: readonly Manifest[]): string[] =>
  [...new Set(workloads(manifests).flatMap(({ pod }) => pod.containers.map(({ image }) => image)))].sort();

const written = (): Record<string, unknown> => parse(/^cat > values\.yaml <<'EOF'\n([^]*?)\nEOF$/m.exec(README)![1]!) as never;

describe('the images of the README', () => {
  let built: string[];
  let pushed: string[];

  beforeAll(async () => {
    const commands = await callsOf(blocksWith('-f deploy/Dockerfile').join('\n'), 'docker');
    built = commands.filter(([verb]) => verb === 'build').map((words) => words[words.indexOf('-t') + 1]!);
    pushed = commands.filter(([verb]) => verb === 'push').map(([, image]) => image!);
  });

  it('are those that the chart uses, including CUDA, and all are pushed', async () => {
    const everything = {
      image: { ownRegistry: REGISTRY },
      inference: { accelerator: 'nvidia' },
      services: { 'inference-fallback': { enabled: true } },
    };
    expect([...built].sort()).toEqual(imagesOf(await render(merged(REQUIRED, everything))));
    expect(pushed).toEqual(built);
  });

  it('are all images of the trial, besides three with a digest', async () => {
    const [install] = await callsOf(blocksWith('devDependencies.enabled=true')[0]!, 'helm');
    const images = imagesOf(await renderAsInstalled(install!));
    expect(images.filter((image) => !built.includes(image)).map((image) => image.replace(/@sha256:[0-9a-f]{64}$/, '@'))).toEqual([
      expect.stringMatching(/^docker\.io\/chrislusf\/seaweedfs:.*@$/),
      expect.stringMatching(/^docker\.io\/library\/nats:.*@$/),
      expect.stringMatching(/^docker\.io\/library\/postgres:.*@$/),
    ]);
  });

  it('are all images of the production installation', async () => {
    const images = imagesOf(await render(written()));
    expect(images.filter((image) => !built.includes(image))).toEqual([]);
  });
});

/** Words of the shell, the function of the README, and programs that every system has. */
const COMMON = 'admin base64 cat do done echo for grep mktemp paste printf read rm sort tail tool tr'.split(' ');

it('the README names the programs that its commands need', () => {
  const used = BLOCKS.join('').matchAll(/(?:^|\| |\$\(|; |&& |do )\$?([a-z0-9-]+)(?= )/gm);
  const needed = new Set([...used].map(([, program]) => program!).filter((program) => !COMMON.includes(program)));
  const line = /^Your machine needs .*$/m.exec(README)?.[0] ?? '';
  expect([...needed].filter((program) => !line.includes(`\`${program}\``))).toEqual([]);
  expect([...needed]).toEqual(expect.arrayContaining(['helm', 'jq', 'kubectl', 'openssl']));
});

describe('the trial of the README', () => {
  it('renders valid objects that follow the policies except TLS, with http addresses', async () => {
    const [install] = await callsOf(blocksWith('devDependencies.enabled=true')[0]!, 'helm');
    const manifests = await renderAsInstalled(install!);
    expect(manifests.flatMap(manifestChecker())).toEqual([]);
    const violations = [...POLICIES, ...NETWORK].flatMap(({ name, violations: broken }) =>
      broken(manifests).map((what) => `${name}: ${what}`),
    );
    expect(violations).toEqual([expect.stringContaining('the ingress is exposed, with TLS: Ingress/')]);
    const addresses = workloads(manifests).flatMap(({ pod }) =>
      pod.containers.map((container) => environmentOf(container)['PUBLIC_API_URL']),
    );
    expect([...new Set(addresses.filter(Boolean))]).toEqual(['http://tire.localhost/api/v1']);
  });
});

describe('the production installation of the README', () => {
  const at = (words: string): number => {
    const found = README.indexOf(words);
    if (found < 0) throw new Error(`the README has no ${words}`);
    return found;
  };

  it('has the required values and those of its recipes', () => {
    expect(written()).toEqual(
      merged(REQUIRED, {
        image: { ownRegistry: REGISTRY },
        nats: { streamReplicas: 3 },
        trustedCa: { existingSecret: 'postgres-ca' },
        networkPolicies: {
          objectStoreTo: [{ namespaceSelector: {} }, { ipBlock: { cidr: '203.0.113.7/32' } }],
          objectStorePorts: [8333],
        },
        ingress: { className: 'nginx', annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' } },
      }),
    );
  });

  it('creates every secret of the release before the release', async () => {
    const manifests = (await render(written())).filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== 'test');
    const text = JSON.stringify(manifests);
    const names = [...text.matchAll(/"(?:secretKeyRef":\{"name|secretName)":"([^"]+)"/g)].map(([, name]) => name!);
    const install = at('-f values.yaml --wait');
    expect([...new Set(names)].sort()).toEqual([
      'postgres-ca',
      'tire-database',
      'tire-nats',
      'tire-s3',
      'tire-services',
      'tire-tire-inspection-tls',
    ]);
    for (const name of new Set(names)) {
      const made = README.slice(at('### 1. '), install);
      expect(made).toMatch(new RegExp(`kubectl -n tire create secret (generic|tls) ${name} `));
    }
  });

  it('creates databases without superuser rights, and every password that pods read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tire-readme-'));
    try {
      await callsOf(blocksWith('roles.sql; : > passwords')[0]!, 'none', folder);
      const statements = (await readFile(join(folder, 'roles.sql'), 'utf8')).split('\n').filter(Boolean);
      const of = (service: string) => statements.filter((statement) => statement.includes(`tire_${service}`));
      for (const service of ['gateway', 'ledger', 'assets', 'content', 'share']) {
        expect(of(service)).toEqual([
          expect.stringMatching(new RegExp(`^CREATE ROLE tire_${service}_owner LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '.+';$`)),
          expect.stringMatching(new RegExp(`^CREATE ROLE tire_${service}_runtime LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '.+';$`)),
          `GRANT tire_${service}_owner TO CURRENT_USER;`,
          `CREATE DATABASE tire_${service} OWNER tire_${service}_owner;`,
          `SET ROLE tire_${service}_owner; REVOKE ALL ON DATABASE tire_${service} FROM PUBLIC; GRANT CONNECT ON DATABASE tire_${service} TO tire_${service}_runtime; RESET ROLE;`,
          `REVOKE tire_${service}_owner FROM CURRENT_USER;`,
        ]);
      }
      expect(statements).toHaveLength(30);
      const keys = (await readFile(join(folder, 'passwords'), 'utf8')).split('\n').map((line) => line.split('=')[0]!);
      const read = JSON.stringify(ofKind(await render(written()), 'Deployment', 'Job')).matchAll(/"name":"tire-database","key":"([^"]+)"/g);
      expect([...new Set([...read].map(([, key]) => key!))].filter((key) => !keys.includes(key))).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('the uninstallation of the README', () => {
  it('deletes every object that Helm leaves: those of hooks', async () => {
    const [, kinds, label, value] = /^kubectl -n tire delete (\S+) -l (\S+)=(\S+)$/m.exec(blocksWith('helm -n tire uninstall')[0]!)!;
    const hooks = (await render(written())).filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']);
    expect(hooks.length).toBeGreaterThan(15);
    const left = hooks.filter(
      ({ kind, metadata }) => !kinds!.split(',').includes(kind.toLowerCase()) || metadata.labels?.[label!] !== value,
    );
    expect(left).toEqual([]);
  });
});

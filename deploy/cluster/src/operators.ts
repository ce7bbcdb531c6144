import { run, step } from '@tire/chart';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, once } from './binaries';
import { type Recipe, place } from './images';
import { HERE, REGISTRY } from './places';
import { replaced } from './readme';

/**
 * `--full`: the operators and charts of other projects, from their Go modules. cert-manager is an older version, the last one whose
 * programs are in its module.
 */
export const VERSIONS = { 'cloudnative-pg': '1.25.0', 'cert-manager': '1.11.5', 'metrics-server': '0.8.0' } as const;
type Operator = keyof typeof VERSIONS;

const MODULES: Readonly<Record<Operator, string>> = {
  'cloudnative-pg': 'github.com/cloudnative-pg/cloudnative-pg',
  'cert-manager': 'github.com/cert-manager/cert-manager',
  'metrics-server': 'sigs.k8s.io/metrics-server',
};
const PROGRAMS: Readonly<Record<Operator, readonly string[]>> = {
  'cloudnative-pg': ['manager'],
  'cert-manager': ['controller', 'webhook', 'cainjector'],
  'metrics-server': ['metrics-server'],
};
const NAMES = Object.keys(VERSIONS) as Operator[];

const nameOf = (operator: Operator): string => `${operator}-${VERSIONS[operator]}`;

/** The folder of each with its programs, from the cache or built. */
export async function ensureOperators(): Promise<Readonly<Record<Operator, string>>> {
  const folders: [Operator, string][] = [];
  for (const operator of NAMES) {
    const packages = PROGRAMS[operator].map((program) => `${MODULES[operator]}/cmd/${program}`);
    const make = (folder: string): Promise<void> => build(operator, folder, packages);
    folders.push([operator, await step(nameOf(operator).replace(/-(?=\d)/, ' '), () => once(nameOf(operator), make))]);
  }
  return Object.fromEntries(folders) as Record<Operator, string>;
}

const POSTGRES = `${REGISTRY}/postgresql:15`;
const POSTGRES_FOLDERS = ['usr/lib/postgresql/15', 'usr/share/postgresql/15'];

/** What CloudNativePG runs: the Postgres of this machine's Debian with all its programs. */
async function layPostgres(root: string): Promise<void> {
  for (const folder of POSTGRES_FOLDERS) await cp(`/${folder}`, join(root, folder), { recursive: true, verbatimSymlinks: true });
  const [programs, modules] = [join('/', POSTGRES_FOLDERS[0]!, 'bin'), join('/', POSTGRES_FOLDERS[0]!, 'lib')];
  // That one is for a compiler, which has 100 MB.
  const files = (
    await Promise.all([programs, modules].map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))))
  ).flat();
  const loaded = files.filter((file) => !/llvmjit|bitcode|pgxs/.test(file));
  const found = await run('bash', ['-c', `ldd ${loaded.join(' ')} || true`]);
  const libraries = new Set(Array.from(found.matchAll(/(\/\S+) \(0x/g), ([, path]) => path!));
  for (const library of libraries) await place(library, root, library);
  await writeFile(join(root, 'etc/passwd'), 'postgres:x:26:26::/var/lib/postgresql:/bin/sh\n', { flag: 'a' });
}

/** A program alone. The charts give it its arguments. */
const alone = (folder: string, program: string, operator: Operator): Recipe => ({
  tag: `${REGISTRY}/${operator === program ? '' : `${operator}-`}${program}:${VERSIONS[operator]}`,
  base: 'scratch',
  lay: (root) => place(join(folder, program), root, program),
  settings: ['--entrypoint', `["/${program}"]`, '--user', '1000:1000'],
});

export const imagesOf =
  (folders: Readonly<Record<Operator, string>>) =>
  (base: string): Recipe[] => [
    {
      tag: `${REGISTRY}/cloudnative-pg:${VERSIONS['cloudnative-pg']}`,
      base: 'scratch',
      // It looks for itself there, and copies itself into the pods of Postgres.
      lay: async (root) => {
        await place(join(folders['cloudnative-pg'], 'manager'), root, 'bin/manager_amd64');
        await symlink('bin/manager_amd64', join(root, 'manager'));
      },
      settings: ['--entrypoint', '["/manager"]', '--workingdir', '/', '--user', '10001:10001'],
    },
    {
      tag: POSTGRES,
      base,
      lay: layPostgres,
      settings: ['--env', `PATH=/${POSTGRES_FOLDERS[0]}/bin:/usr/local/bin:/usr/bin:/bin`, '--user', '26:26'],
    },
    ...(['cert-manager', 'metrics-server'] as const).flatMap((operator) =>
      PROGRAMS[operator].map((program) => alone(folders[operator], program, operator)),
    ),
  ];

async function sourceOf(operator: Operator): Promise<string> {
  return (await run('go', ['list', '-m', '-f', '{{.Dir}}', MODULES[operator]], { cwd: join(HERE, 'go', operator) })).trim();
}

/** The released chart has the definitions of its kinds and its version, which the release adds. */
async function layCertManager(folder: string): Promise<void> {
  const source = join(await sourceOf('cert-manager'), 'deploy');
  const chart = join(folder, 'cert-manager');
  await cp(join(source, 'charts/cert-manager'), chart, { recursive: true });
  await run('chmod', ['-R', 'u+w', chart]);
  const kinds = (await readdir(join(source, 'crds'))).filter((name) => name.startsWith('crd-'));
  for (const name of kinds) {
    const text = await readFile(join(source, 'crds', name), 'utf8');
    await writeFile(join(chart, 'templates', name), text.replace(/^ *# Generated labels.*\n/m, ''));
  }
  const description = await readFile(join(chart, 'Chart.template.yaml'), 'utf8');
  await writeFile(
    join(chart, 'Chart.yaml'),
    description.replaceAll('v0.1.0', `v${VERSIONS['cert-manager']}`).replace('{{IS_PRERELEASE}}', 'false'),
  );
}

/** In place of Let's Encrypt, which must reach the host name. */
const ISSUER = { apiVersion: 'cert-manager.io/v1', kind: 'ClusterIssuer', metadata: { name: 'letsencrypt' }, spec: { selfSigned: {} } };

/** Manifests and charts of the operators, with the images built here. */
export async function layOperators(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const version = VERSIONS['cloudnative-pg'];
  const manifest = await readFile(join(await sourceOf('cloudnative-pg'), `releases/cnpg-${version}.yaml`), 'utf8');
  const image = { [`ghcr.io/cloudnative-pg/cloudnative-pg:${version}`]: `${REGISTRY}/cloudnative-pg:${version}` };
  await writeFile(join(folder, 'cloudnative-pg.yaml'), replaced(manifest, image));
  await layCertManager(folder);
  await writeFile(join(folder, 'issuer.json'), JSON.stringify(ISSUER));
  await cp(join(await sourceOf('metrics-server'), 'charts/metrics-server'), join(folder, 'metrics-server'), { recursive: true });
  await run('chmod', ['-R', 'u+w', folder]);
}

const certManagerImages = ['', 'webhook.', 'cainjector.']
  .map((part) => [part, `${REGISTRY}/cert-manager-${part.replace('.', '') || 'controller'}`] as const)
  .map(([part, image]) => `--set ${part}image.repository=${image} --set ${part}image.tag=${VERSIONS['cert-manager']}`)
  .join(' ');

/** By the commands of their own instructions, with the images built here. */
export const INSTALL_OPERATORS = `
kubectl apply --server-side -f operators/cloudnative-pg.yaml > /dev/null
kubectl -n cnpg-system set env deployment/cnpg-controller-manager POSTGRES_IMAGE_NAME=${POSTGRES}
helm install cert-manager operators/cert-manager -n cert-manager --create-namespace ${certManagerImages} --set startupapicheck.enabled=false \\
  --set global.leaderElection.namespace=cert-manager --wait --timeout 5m
helm install metrics-server operators/metrics-server -n kube-system --set image.repository=${REGISTRY}/metrics-server \\
  --set image.tag=${VERSIONS['metrics-server']} --set args={--kubelet-insecure-tls} --wait --timeout 5m
kubectl -n cnpg-system rollout status deployment/cnpg-controller-manager --timeout=180s
for i in $(seq 60); do
  kubectl apply -f operators/issuer.json && exit 0
  sleep 1
done
exit 1
`;

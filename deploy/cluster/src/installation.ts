import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Authority } from './authorities';
import type { Cluster } from './cluster';
import { HERE, REPOSITORY_ROOT } from './places';
import { blocksBelow, replaced } from './readme';

/** The images of the servers that the chart's README installs from other projects. */
export type Servers = Readonly<Record<'postgres' | 'nats' | 'seaweedfs', string>>;

/** S3 has a name in the cluster here, so that neither DNS nor an ingress is needed. */
const OWN_VALUES = (registry: string): string => `image: { ownRegistry: ${registry} }
objectStore: { endpoint: https://s3.seaweedfs.svc }
console: { enabled: true }
`;

/** What `--full` tries beside it. */
const AUTOSCALING = `services: { content: { autoscaling: { enabled: true } } }\n`;

export const NAMESPACES = ['tire', 'postgres', 'nats', 'seaweedfs'];

const VALUES = '-f helm/tire-inspection/sizes/small.yaml -f values.yaml -f own.yaml';
export const UPGRADE = `helm upgrade tire helm/tire-inspection -n tire ${VALUES}`;

async function issueCertificates(folder: string): Promise<void> {
  const authority = await Authority.in(folder, 'ca');
  await authority.issue('postgres', '/CN=postgres', ['DNS:tire-rw.postgres.svc']);
  await authority.issue('s3', '/CN=s3', ['DNS:s3.seaweedfs.svc']);
  await authority.issue('tls', '/CN=tire.example.com', ['DNS:tire.example.com']);
}

const POSTGRES_SECRETS = `
kubectl create namespace postgres
kubectl -n postgres create secret tls tls --cert=postgres.crt --key=postgres.key
kubectl -n postgres create secret generic administrator --from-literal=password=$(openssl rand -hex 24)
`;

const S3_CERTIFICATE = `
kubectl create namespace seaweedfs
kubectl -n seaweedfs create secret tls tls --cert=s3.crt --key=s3.key
`;

const S3_KEYS = `
kubectl -n seaweedfs create secret generic s3-config --from-literal=s3.json='{"identities":[{"name":"tire",
  "credentials":[{"accessKey":"'$access'","secretKey":"'$secret'"}],"actions":["Admin:tire","Read:tire","Write:tire","List:tire"]}]}'
`;

const ready = (...objects: string[]): string => objects.map((words) => `kubectl -n ${words} --timeout=180s`).join('\n');
const STORES_READY = ready('nats rollout status statefulset/nats', 'seaweedfs rollout status deployment/weed');
export const SERVERS_READY = `${ready('postgres rollout status deployment/tire')}\n${STORES_READY}`;

const BUCKET = `
weed() { kubectl -n seaweedfs exec -i deploy/weed -- weed shell -master=127.0.0.1:9333 2>&1; }
for i in $(seq 60); do
  weed <<< 's3.bucket.create -name tire' > bucket.log
  weed <<< 's3.bucket.list' >> bucket.log
  grep -qE '^ *tire\\b' bucket.log && exit 0
  sleep 1
done
cat bucket.log
exit 1
`;

/** Step 1, and what step 3 and 5 need before their servers. */
async function makeNamespaces(cluster: Cluster): Promise<void> {
  await issueCertificates(cluster.folder);
  const [namespace] = blocksBelow('### 1. The namespace');
  await cluster.run(`${namespace}kubectl label namespace tire pod-security.kubernetes.io/enforce=restricted`);
  const [nats] = blocksBelow('### 3. NATS');
  await cluster.run(nats!.split('helm repo add')[0]!);
  const [keys] = blocksBelow('### 5. S3');
  await cluster.run(S3_CERTIFICATE + keys + S3_KEYS);
}

/** Servers of our own where the README installs those of other projects. */
async function startServers(cluster: Cluster, servers: Servers, isOurs: (manifest: string) => boolean): Promise<void> {
  const manifests = await readFile(join(HERE, 'manifests/servers.yaml'), 'utf8');
  const images = { '@POSTGRES_IMAGE@': servers.postgres, '@NATS_IMAGE@': servers.nats, '@SEAWEEDFS_IMAGE@': servers.seaweedfs };
  const all = replaced(manifests, images).split(/^---$/m);
  await writeFile(join(cluster.folder, 'servers.yaml'), all.filter(isOurs).join('---'));
  await cluster.run('kubectl apply -f servers.yaml');
}

/** As with CloudNativePG, whose commands run as the administrator in the pod of the primary. */
async function makeDatabases(cluster: Cluster): Promise<void> {
  const [roles, cloudNative] = blocksBelow('### 2. The databases');
  await cluster.run(roles!);
  const command = cloudNative!.split('\n').find((line) => line.includes('< roles.sql'))!;
  await cluster.run(replaced(command, { 'tire-1': 'deploy/tire' }));
  await cluster.run('kubectl -n tire create secret generic postgres-ca --from-file=ca.crt\nshred -u roles.sql passwords');
}

/** The recipe of CloudNativePG. S3 has a certificate of our own authority here, which the pods must know too. */
async function makeDatabasesByRecipe(cluster: Cluster): Promise<void> {
  const [roles, cloudNative] = blocksBelow('### 2. The databases');
  await cluster.run(`${roles!}mv ca.crt own-ca.crt`);
  await cluster.run(replaced(cloudNative!, { '> ca.crt': '> cloud-native.crt\ncat own-ca.crt cloud-native.crt > ca.crt' }));
  await cluster.run('shred -u roles.sql passwords');
}

/** Steps 4 and 6, 8 and 9. */
async function release(cluster: Cluster, values: string, certificate = ''): Promise<string> {
  await cluster.run(BUCKET);
  await cluster.run(blocksBelow('### 4. Service keys')[0]! + certificate);
  await writeFile(join(cluster.folder, 'own.yaml'), values);
  const [commands] = blocksBelow('### 8. The release');
  await cluster.run(replaced(commands!, { '-f values.yaml': VALUES }));
  return cluster.run(blocksBelow('### 9. The first key and the first report')[0]!);
}

/** The folder in which the README's commands run: the chart under its name. */
export async function prepareFolder({ folder }: Cluster): Promise<void> {
  await mkdir(folder, { recursive: true });
  await symlink(join(REPOSITORY_ROOT, 'helm'), join(folder, 'helm'));
}

/** Follows "Production: from nothing to a first report" of the chart's README by its own commands. Returns the output of step 9. */
export async function install(cluster: Cluster, servers: Servers): Promise<string> {
  await makeNamespaces(cluster);
  await cluster.run(POSTGRES_SECRETS);
  await startServers(cluster, servers, () => true);
  await cluster.run(SERVERS_READY);
  await makeDatabases(cluster);
  return release(cluster, OWN_VALUES(cluster.registry), blocksBelow('### 6. TLS')[0]);
}

/** The same with CloudNativePG, and with cert-manager in place of step 6. */
export async function installByRecipes(cluster: Cluster, servers: Servers): Promise<string> {
  await makeNamespaces(cluster);
  await startServers(cluster, servers, (manifest) => !manifest.includes('namespace: postgres'));
  await makeDatabasesByRecipe(cluster);
  await cluster.run(STORES_READY);
  return release(cluster, OWN_VALUES(cluster.registry) + AUTOSCALING);
}

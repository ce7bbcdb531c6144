import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Authority } from './authorities';
import { HERE, REPOSITORY_ROOT } from './places';
import { blocksBelow, replaced } from './readme-steps';
import type { Shell } from './shell';

export interface Images {
  /** The registry of the six images. */
  readonly registry: string;
  readonly servers: Readonly<Record<'postgres' | 'nats' | 'seaweedfs', string>>;
}

const SIZE = 'helm/tire-inspection/sizes/small.yaml';
/** S3 has a name in the cluster here, so that neither DNS nor an ingress is needed. */
const OWN_VALUES = (registry: string): string => `image: { ownRegistry: ${registry} }
nats: { streamReplicas: 1 }
objectStore: { endpoint: https://s3.seaweedfs.svc }
console: { enabled: true }
`;

export const VALUES = `-f ${SIZE} -f values.yaml -f own.yaml`;
export const UPGRADE = `helm upgrade tire helm/tire-inspection -n tire ${VALUES}`;

/** Runs psql as the administrator of the test's Postgres, over a forwarded port. */
export const psql = (words: string): string => `
kubectl -n postgres port-forward service/tire-rw 15432:5432 > /dev/null & forward=$!
trap 'kill $forward' EXIT
export PGPASSWORD=$(kubectl -n postgres get secret administrator -o jsonpath='{.data.password}' | base64 -d)
for i in $(seq 60); do psql "host=127.0.0.1 port=15432 user=postgres dbname=postgres sslmode=require" -c 'SELECT 1' > /dev/null 2>&1 && break; sleep 0.5; done
${words}`;

async function issueCertificates(folder: string): Promise<void> {
  const authority = await Authority.in(folder, 'ca');
  await authority.issue('postgres', '/CN=postgres', ['DNS:tire-rw.postgres.svc']);
  await authority.issue('s3', '/CN=s3', ['DNS:s3.seaweedfs.svc']);
  await authority.issue('tls', '/CN=tire.example.com', ['DNS:tire.example.com']);
}

const SERVER_SECRETS = `
kubectl create namespace postgres
kubectl create namespace seaweedfs
kubectl -n postgres create secret tls tls --cert=postgres.crt --key=postgres.key
kubectl -n postgres create secret generic administrator --from-literal=password=$(openssl rand -hex 24)
kubectl -n seaweedfs create secret tls tls --cert=s3.crt --key=s3.key
`;

const S3_KEYS = `
kubectl -n seaweedfs create secret generic s3-config --from-literal=s3.json='{"identities":[{"name":"tire",
  "credentials":[{"accessKey":"'$access'","secretKey":"'$secret'"}],"actions":["Admin:tire","Read:tire","Write:tire","List:tire"]}]}'
`;

const wait = (namespace: string, name: string): string => `kubectl -n ${namespace} rollout status deployment/${name} --timeout=180s\n`;

/** Steps 1 to 5 of the README, with servers of our own where the README installs those of other projects. */
async function makeServers(shell: Shell, images: Images): Promise<void> {
  const [namespace] = blocksBelow('### 1. The namespace');
  await shell.run(`${namespace}kubectl label namespace tire pod-security.kubernetes.io/enforce=restricted`);
  const [nats] = blocksBelow('### 3. NATS');
  await shell.run(nats!.split('helm repo add')[0]!);
  const [keys] = blocksBelow('### 5. S3');
  await shell.run(SERVER_SECRETS + keys + S3_KEYS);
  const manifests = await readFile(join(HERE, 'manifests/servers.yaml'), 'utf8');
  const named = replaced(manifests, {
    '@POSTGRES_IMAGE@': images.servers.postgres,
    '@NATS_IMAGE@': images.servers.nats,
    '@SEAWEEDFS_IMAGE@': images.servers.seaweedfs,
  });
  await writeFile(join(shell.folder, 'servers.yaml'), named);
  await shell.run(`kubectl apply -f servers.yaml\n${wait('postgres', 'tire')}${wait('nats', 'nats')}${wait('seaweedfs', 'weed')}`);
}

async function makeDatabases(shell: Shell): Promise<void> {
  const [roles, , rds] = blocksBelow('### 2. The databases');
  await shell.run(roles!);
  const [command] = rds!.split('\n');
  await shell.run(psql(replaced(command!, { 'host=…': 'host=127.0.0.1 port=15432' })));
  await shell.run('kubectl -n tire create secret generic postgres-ca --from-file=ca.crt\nshred -u roles.sql passwords');
}

const BUCKET = `
for i in $(seq 60); do
  echo 's3.bucket.create -name tire' | kubectl -n seaweedfs exec -i deploy/weed -- weed shell -master=127.0.0.1:9333 2>&1 | tee bucket.log
  echo 's3.bucket.list' | kubectl -n seaweedfs exec -i deploy/weed -- weed shell -master=127.0.0.1:9333 2>&1 | grep -q tire && exit 0
  sleep 1
done
exit 1
`;

/** Follows "Production: from nothing to a first report" of the chart's README by its own commands. Returns the output of step 9. */
export async function install(shell: Shell, images: Images): Promise<string> {
  await mkdir(shell.folder, { recursive: true });
  await symlink(join(REPOSITORY_ROOT, 'helm'), join(shell.folder, 'helm'));
  await issueCertificates(shell.folder);
  await makeServers(shell, images);
  await makeDatabases(shell);
  await shell.run(BUCKET);
  await shell.run(blocksBelow('### 4. Service keys')[0]!);
  await shell.run(blocksBelow('### 6. TLS')[0]!);
  await writeFile(join(shell.folder, 'own.yaml'), OWN_VALUES(images.registry));
  const [release] = blocksBelow('### 8. The release');
  await shell.run(replaced(release!, { '-f values.yaml': VALUES }));
  const [first, owner] = blocksBelow('### 9. The first key and the first report');
  const output = await shell.run(first!);
  await writeFile(join(shell.folder, 'first.log'), output);
  await writeFile(join(shell.folder, 'owner.sh'), `${first!.split('\n')[0]}\n${owner!}`);
  return output;
}

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from './cluster';
import { install, installByRecipes, prepareFolder } from './installation';
import { blocksBelow, replaced } from './readme';

/** kubectl and helm that record their words, and a jq, which not every machine of developers has. */
const STUB = `#!/bin/bash
[ "$(basename "$0")" != jq ] || { cat > /dev/null; echo k; exit; }
printf '%s ' "$(basename "$0")" "$@" | tr '\\n' ' ' >> "$CALLS"; echo >> "$CALLS"
case " $* " in
  *' weed shell '*) cat > /dev/null; echo '  tire' ;;
  *' apply -f - '*) cat > /dev/null ;;
  *' test '*) echo 'published at https://tire.example.com/r/abc' ;;
esac
`;

describe('the installation by the README', () => {
  let folder: string;
  let cluster: Cluster;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tire-installation-'));
    const programs = join(folder, 'programs');
    await mkdir(programs);
    for (const name of ['kubectl', 'helm', 'jq']) await writeFile(join(programs, name), STUB, { mode: 0o755 });
    const before = ['env', `CALLS=${join(folder, 'calls')}`, `PATH=${programs}:${process.env['PATH']}`];
    cluster = new Cluster(join(folder, 'work'), before, 'r.example.com');
    await prepareFolder(cluster);
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('runs its commands in order, with servers in place of those of other projects', async () => {
    expect(await install(cluster, { postgres: 'p:1', nats: 'n:1', seaweedfs: 's:1' })).toContain('published at');
    const calls = (await readFile(join(folder, 'calls'), 'utf8')).split('\n');
    const at = (words: string): number => {
      const index = calls.findIndex((call) => call.startsWith(words));
      if (index < 0) throw new Error(`no call ${words}`);
      return index;
    };
    const order = [
      'kubectl create namespace tire',
      'kubectl create namespace nats',
      'kubectl -n nats create configmap nats-users --from-file=helm/tire-inspection/files/nats-users.conf',
      'kubectl -n tire create secret generic tire-s3',
      'kubectl apply -f servers.yaml',
      'kubectl -n tire create secret generic tire-database',
      'kubectl -n postgres exec -i deploy/tire -c postgres -- psql -v ON_ERROR_STOP=1',
      'kubectl -n tire create secret generic postgres-ca --from-file=ca.crt',
      'kubectl -n tire create secret generic tire-services',
      'kubectl -n tire create secret tls tire-tire-inspection-tls',
      'helm install tire helm/tire-inspection -n tire -f helm/tire-inspection/sizes/small.yaml -f values.yaml -f own.yaml --wait',
      'kubectl -n tire exec -i deploy/tire-tire-inspection-gateway -- node dist/apps/gateway/src/admin.js create-organization',
      'kubectl -n tire create secret generic tire-tire-inspection-test --from-literal=api-key=k',
      'helm -n tire test tire --logs',
    ].map(at);
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(calls.filter((call) => /helm (repo|install (nats|seaweedfs|minio))/.test(call))).toEqual([]);
    expect(await readFile(join(cluster.folder, 'servers.yaml'), 'utf8')).toMatch(/'p:1'[^]*'n:1'[^]*'s:1'/);
  });

  it('runs the recipe of CloudNativePG as it stands, and leaves the certificate to cert-manager', async () => {
    await installByRecipes(cluster, { postgres: 'p:1', nats: 'n:1', seaweedfs: 's:1' });
    const calls = (await readFile(join(folder, 'calls'), 'utf8')).split('\n');
    expect(calls.filter((call) => /cluster\/tire|exec -i tire-1|secret tls/.test(call)).map((call) => call.trim())).toEqual([
      'kubectl -n seaweedfs create secret tls tls --cert=s3.crt --key=s3.key',
      'kubectl -n postgres wait cluster/tire --for=condition=Ready --timeout=10m',
      'kubectl -n postgres exec -i tire-1 -c postgres -- psql -v ON_ERROR_STOP=1',
    ]);
    expect(await readFile(join(cluster.folder, 'servers.yaml'), 'utf8')).not.toContain('namespace: postgres');
  });
});

it('finds the commands of a section, and not those of the next one', () => {
  expect(blocksBelow('### 1. The namespace')).toEqual(['kubectl create namespace tire\n']);
  expect(() => blocksBelow('### 99. Nothing')).toThrow('has no section');
});

it('replaces only what is there', () => {
  expect(replaced('a b a', { a: 'c' })).toBe('c b c');
  expect(() => replaced('a', { b: 'c' })).toThrow('there is no "b"');
});

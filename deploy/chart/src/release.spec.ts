import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { ofKind, workloads } from './manifests';
import { REPOSITORY_ROOT } from './paths';
import { renderAsInstalled } from './render';

const APPS = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share'];
const RELEASE = join(REPOSITORY_ROOT, 'deploy/release');
const REPOSITORY = 'ghcr.example/owner/tire-inspection';
const digestOf = (index: number): string => `sha256:${String(index).repeat(64)}`;
const run = promisify(execFile);

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tire-release-'));
});

afterEach(() => rm(folder, { recursive: true }));

describe('the workflow of a release', () => {
  interface Job {
    needs?: string;
    permissions: Record<string, string>;
    steps: { uses?: string; run?: string }[];
  }
  let text: string;
  let workflow: { permissions: object; jobs: Record<string, Job> };

  beforeAll(async () => {
    text = await readFile(join(REPOSITORY_ROOT, '.github/workflows/release.yml'), 'utf8');
    workflow = parse(text) as typeof workflow;
  });

  it('pins every action by commit', () => {
    const lines = text.split('\n').filter((line) => line.includes('uses:'));
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v[\d.]+$/.test(line))).toEqual([]);
  });

  it('publishes only what passed, and only its last job may write', () => {
    const { test, publish } = workflow.jobs;
    expect(workflow.permissions).toEqual({});
    expect(test!.steps.map(({ run: command }) => command).join('\n')).toContain('bash .ci/run');
    expect(test!.permissions).toEqual({ contents: 'read' });
    expect(publish!.needs).toBe('test');
    expect(publish!.permissions).toEqual({ contents: 'read', packages: 'write', 'id-token': 'write' });
  });
});

describe('publish.sh', () => {
  /** Programs that write down their arguments. `existing` is the image that the registry has; of others it says `absent`. */
  async function published(existing: string, absent = 'no such manifest: image'): Promise<{ calls: string[][]; failed: boolean }> {
    const programs = {
      docker: `case "$1 $2" in
        'manifest inspect') [ "$3" = "${existing}" ] || { echo "${absent}" >&2; exit 1; } ;;
        'image inspect') app=\${5##*/}; echo "other/image@${digestOf(0)}"; echo "\${5%:*}@sha256:$(printf %064d 7)" ;;
        create*) echo "container-of-\${2##*/}" ;;
        cp*) echo '{}' > "$3" ;;
      esac`,
      cosign: ':',
      helm: `[ "$1" != push ] || echo "Digest: ${digestOf(9)}" >&2`,
    };
    for (const [name, script] of Object.entries(programs)) {
      const file = join(folder, name);
      await writeFile(file, `#!/bin/bash\n{ printf '%s\\037' ${name} "$@"; echo; } >> ${folder}/calls\n${script}\n`);
      await chmod(file, 0o755);
    }
    const failed = await run('bash', [join(RELEASE, 'publish.sh'), 'ghcr.example', 'Owner', '0.1.0'], {
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    }).then(
      () => false,
      () => true,
    );
    const lines = (await readFile(join(folder, 'calls'), 'utf8')).split('\n').filter(Boolean);
    return { calls: lines.map((line) => line.split('\u001f').slice(0, -1)), failed };
  }

  it('signs each pushed image and the chart by digest, and attaches the SBOM that the image holds', async () => {
    const { calls, failed } = await published('none');
    expect(failed).toBe(false);
    const of = (...words: string[]) => calls.filter((call) => words.every((word, index) => call[index] === word));
    const images = APPS.map((app) => `${REPOSITORY}/${app}`);
    expect(of('docker', 'push').map(([, , image]) => image)).toEqual(images.map((image) => `${image}:0.1.0`));
    const pushed = images.map((image) => `${image}@sha256:${'7'.padStart(64, '0')}`);
    const chart = `ghcr.example/owner/charts/tire-inspection@${digestOf(9)}`;
    expect(of('cosign', 'sign').map((call) => call.at(-1))).toEqual([...pushed, chart]);
    expect(of('cosign', 'attest').map((call) => call.at(-1))).toEqual(pushed);
    expect(of('docker', 'cp').map(([, , from]) => from)).toEqual(APPS.map((app) => `container-of-${app}:0.1.0:/app/sbom.cdx.json`));
    expect(of('helm', 'push')[0]!.at(-1)).toBe('oci://ghcr.example/owner/charts');
  });

  it('refuses a version that exists before it pushes anything of it', async () => {
    const { calls, failed } = await published(`${REPOSITORY}/gateway:0.1.0`);
    expect(failed).toBe(true);
    expect(calls.map(([program, verb]) => `${program} ${verb}`)).toEqual(['docker manifest']);
  });

  it.each(['denied: requested access to the resource is denied', 'dial tcp: i/o timeout'])(
    'pushes nothing if the registry does not say what it has: %s',
    async (error) => {
      const { calls, failed } = await published('none', error);
      expect(failed).toBe(true);
      expect(calls.map(([program, verb]) => `${program} ${verb}`)).toEqual(['docker manifest']);
    },
  );
});

describe('the published chart', () => {
  const publishedChart = async (apps: readonly string[]) => {
    const chart = join(folder, 'chart');
    const running = run(process.execPath, [join(RELEASE, 'chart.mjs'), 'ghcr.example', 'owner/tire-inspection', chart]);
    running.child.stdin!.end(apps.map((app, index) => `${app}=${digestOf(index)}\n`).join(''));
    await running;
    return relative(REPOSITORY_ROOT, chart);
  };

  it('names its images by digest without a value', async () => {
    const required = [
      ...['host=tire.example.com', 'trustedProxies={10.0.0.0/8}', 'database.host=db.example.com', 'database.existingSecret=d'],
      ...['nats.url=nats://nats.nats.svc:4222', 'nats.usersSecret=n', 'serviceIdentity.existingSecret=i', 'objectStore.bucket=tire'],
      ...[
        'objectStore.endpoint=https://s3.example.com',
        'objectStore.existingSecret=s',
        'networkPolicies.objectStoreTo[0].ipBlock.cidr=203.0.113.0/24',
      ],
      'networkPolicies.databaseTo[0].ipBlock.cidr=203.0.113.0/24',
    ].flatMap((value) => ['--set', value]);
    const manifests = await renderAsInstalled(['install', 'tire', await publishedChart(APPS), ...required]);
    const images = workloads(ofKind(manifests, 'Deployment')).flatMap(({ pod }) => pod.containers.map(({ image }) => image));
    const expected = APPS.map((app, index) => `${REPOSITORY}/${app}@${digestOf(index)}`);
    expect([...new Set(images)].sort()).toEqual(expected.sort());
  });

  it('needs the digest of every image', async () => {
    await expect(publishedChart(APPS.slice(1))).rejects.toThrow('no digest of gateway');
  });
});

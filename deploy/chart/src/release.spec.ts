import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { ofKind, workloads } from './manifests';
import { REPOSITORY_ROOT } from './paths';
import { renderAsInstalled } from './render';

const APPS = ['gateway', 'ledger', 'assets', 'inference', 'content', 'share'];
const RELEASE = join(REPOSITORY_ROOT, 'deploy/release');
const REPOSITORY = 'owner/tire-inspection';
const CHART_REPOSITORY = 'owner/charts/tire-inspection';
const digestOf = (index: number): string => `sha256:${String(index).repeat(64)}`;
const run = promisify(execFile);

interface RegistryAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: object | string;
}

const oci = (status: number, code: string): RegistryAnswer => ({ status, body: { errors: [{ code, message: code.toLowerCase() }] } });
const ABSENT = oci(404, 'MANIFEST_UNKNOWN');

let folder: string;
let server: Server;
let registry: string;
/** How the registry answers a request. */
let answerTo: (request: IncomingMessage) => RegistryAnswer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tire-release-'));
  answerTo = () => ABSENT;
  server = createServer((request, response) => {
    const { status, headers, body = '' } = answerTo(request);
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  registry = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

/** The error output of a program, and whether it failed. */
const ended = (program: string, args: string[], environment: Record<string, string>): Promise<{ failed: boolean; stderr: string }> =>
  run(program, args, { env: { ...process.env, ...environment } }).then(
    ({ stderr }) => ({ failed: false, stderr }),
    ({ stderr }: { stderr: string }) => ({ failed: true, stderr }),
  );

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

describe('free.mjs', () => {
  const REPOSITORIES = [`${REPOSITORY}/gateway`, CHART_REPOSITORY];
  const lookedUp = () =>
    ended(process.execPath, [join(RELEASE, 'free.mjs'), registry, '0.1.0', ...REPOSITORIES], { DOCKER_CONFIG: join(folder, 'docker') });
  const logIn = async () => {
    await mkdir(join(folder, 'docker'));
    await writeFile(join(folder, 'docker/config.json'), JSON.stringify({ auths: { [registry]: { auth: 'b3duZXI6c2VjcmV0' } } }));
  };

  it.each(['MANIFEST_UNKNOWN', 'NAME_UNKNOWN'])('a version is free if the registry says %s of each repository', async (code) => {
    const asked: string[] = [];
    answerTo = ({ url }) => {
      asked.push(url!);
      return oci(404, code);
    };
    expect(await lookedUp()).toEqual({ failed: false, stderr: '' });
    expect(asked.sort()).toEqual(REPOSITORIES.map((repository) => `/v2/${repository}/manifests/0.1.0`).sort());
  });

  it('is not free if one repository has the tag', async () => {
    answerTo = ({ url }) => (url!.includes('charts') ? { status: 200, body: {} } : ABSENT);
    expect(await lookedUp()).toEqual({ failed: true, stderr: `${registry}/${CHART_REPOSITORY}:0.1.0 exists\n` });
  });

  it.each<[string, RegistryAnswer]>([
    ['401 without a challenge', oci(401, 'UNAUTHORIZED')],
    ['403', oci(403, 'DENIED')],
    ['429', oci(429, 'TOOMANYREQUESTS')],
    ['the 404 of a proxy', { status: 404, body: '<h1>Not found</h1>' }],
    ['a 404 with another code', oci(404, 'UNSUPPORTED')],
    ['502', { status: 502, body: 'no such manifest' }],
  ])('%s does not say that the version is free', async (_, answer) => {
    answerTo = () => answer;
    const { failed, stderr } = await lookedUp();
    expect(failed).toBe(true);
    expect(stderr).toContain(`whether ${registry}/${REPOSITORIES[0]}:0.1.0 exists is not known: ${answer.status}`);
  });

  it('a registry that does not answer does not say that the version is free', async () => {
    await new Promise((resolve) => server.close(resolve));
    const { failed, stderr } = await lookedUp();
    expect(failed).toBe(true);
    expect(stderr).toContain('ECONNREFUSED');
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  describe('where the registry wants a token', () => {
    /** Gives a token for the login of docker, and takes it for the repository that it was given for. */
    const withTokens = ({ url, headers: { host, authorization } }: IncomingMessage, answer = ABSENT): RegistryAnswer => {
      const { pathname, searchParams } = new URL(url!, `http://${host}`);
      if (pathname === '/token') {
        const isKnown = authorization === 'Basic b3duZXI6c2VjcmV0' && searchParams.get('service') === 'the registry';
        return isKnown ? { status: 200, body: { token: searchParams.get('scope') } } : oci(401, 'UNAUTHORIZED');
      }
      const repository = pathname.slice('/v2/'.length, -'/manifests/0.1.0'.length);
      if (authorization === `Bearer repository:${repository}:pull,push`) return answer;
      const challenge = `Bearer realm="http://${host}/token",service="the registry",scope="repository:${repository}:pull"`;
      return { ...oci(401, 'UNAUTHORIZED'), headers: { 'www-authenticate': challenge } };
    };

    it('asks with the right to push, and believes the answer to that', async () => {
      await logIn();
      answerTo = (request) => withTokens(request);
      expect(await lookedUp()).toEqual({ failed: false, stderr: '' });
      answerTo = (request) => withTokens(request, { status: 200, body: {} });
      expect((await lookedUp()).stderr).toContain('exists\n');
    });

    it('a 401 is not a free version, neither of the registry nor of the place that gives tokens', async () => {
      answerTo = (request) => withTokens(request);
      expect((await lookedUp()).stderr).toContain('gave no token: 401');
      await logIn();
      answerTo = (request) => withTokens(request, oci(401, 'UNAUTHORIZED'));
      const { failed, stderr } = await lookedUp();
      expect(failed).toBe(true);
      expect(stderr).toContain('is not known: 401');
    });
  });

  it('sends the login itself where the registry wants that', async () => {
    await logIn();
    answerTo = ({ headers }) =>
      headers.authorization === 'Basic b3duZXI6c2VjcmV0'
        ? ABSENT
        : { ...oci(401, 'UNAUTHORIZED'), headers: { 'www-authenticate': 'Basic realm="the registry"' } };
    expect(await lookedUp()).toEqual({ failed: false, stderr: '' });
  });
});

describe('publish.sh', () => {
  /** Programs that write down their arguments. */
  async function published(): Promise<{ calls: string[][]; failed: boolean }> {
    const programs = {
      docker: `case "$1 $2" in
        'image inspect') app=\${5##*/}; echo "other/image@${digestOf(0)}"; echo "\${5%:*}@sha256:$(printf %064d 7)" ;;
        create*) echo "container-of-\${2##*/}" ;;
        cp*) echo '{}' > "$3" ;;
      esac`,
      cosign: ':',
      helm: `[ "$1" != push ] || echo "Digest: ${digestOf(9)}" >&2`,
    };
    await writeFile(join(folder, 'calls'), '');
    for (const [name, script] of Object.entries(programs)) {
      const file = join(folder, name);
      await writeFile(file, `#!/bin/bash\n{ printf '%s\\037' ${name} "$@"; echo; } >> ${folder}/calls\n${script}\n`);
      await chmod(file, 0o755);
    }
    const { failed } = await ended('bash', [join(RELEASE, 'publish.sh'), registry, 'Owner', '0.1.0'], {
      PATH: `${folder}:${process.env['PATH']}`,
      DOCKER_CONFIG: folder,
    });
    const lines = (await readFile(join(folder, 'calls'), 'utf8')).split('\n').filter(Boolean);
    return { calls: lines.map((line) => line.split('\u001f').slice(0, -1)), failed };
  }

  it('signs each pushed image and the chart by digest, and attaches the SBOM that the image holds', async () => {
    const { calls, failed } = await published();
    expect(failed).toBe(false);
    const of = (...words: string[]) => calls.filter((call) => words.every((word, index) => call[index] === word));
    const images = APPS.map((app) => `${registry}/${REPOSITORY}/${app}`);
    expect(of('docker', 'push').map(([, , image]) => image)).toEqual(images.map((image) => `${image}:0.1.0`));
    const pushed = images.map((image) => `${image}@sha256:${'7'.padStart(64, '0')}`);
    const chart = `${registry}/${CHART_REPOSITORY}@${digestOf(9)}`;
    expect(of('cosign', 'sign').map((call) => call.at(-1))).toEqual([...pushed, chart]);
    expect(of('cosign', 'attest').map((call) => call.at(-1))).toEqual(pushed);
    expect(of('docker', 'cp').map(([, , from]) => from)).toEqual(APPS.map((app) => `container-of-${app}:0.1.0:/app/sbom.cdx.json`));
    expect(of('helm', 'push')[0]!.at(-1)).toBe(`oci://${registry}/owner/charts`);
  });

  it.each([`${REPOSITORY}/share`, CHART_REPOSITORY])('builds and pushes nothing of a version of which %s exists', async (repository) => {
    answerTo = ({ url }) => (url!.includes(`/${repository}/`) ? { status: 200, body: {} } : ABSENT);
    expect(await published()).toEqual({ calls: [], failed: true });
  });

  it('builds and pushes nothing if the registry does not say what it has', async () => {
    answerTo = () => oci(401, 'UNAUTHORIZED');
    expect(await published()).toEqual({ calls: [], failed: true });
  });
});

describe('the published chart', () => {
  const publishedChart = async (apps: readonly string[]) => {
    const chart = join(folder, 'chart');
    const running = run(process.execPath, [join(RELEASE, 'chart.mjs'), 'ghcr.example', REPOSITORY, chart]);
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
    const expected = APPS.map((app, index) => `ghcr.example/${REPOSITORY}/${app}@${digestOf(index)}`);
    expect([...new Set(images)].sort()).toEqual(expected.sort());
  });

  it('needs the digest of every image', async () => {
    await expect(publishedChart(APPS.slice(1))).rejects.toThrow('no digest of gateway');
  });
});

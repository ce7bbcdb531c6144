import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runIn } from '../clients/readme-examples';
import { stackUnderTest } from '../stack-under-test';
import { systemReady } from '../world';
import { blocksOf, docs, LANGUAGES, ofShell, pagesOf } from './pages';

const POSITIONS = ['front_left', 'front_right', 'rear_left', 'rear_right'];
/** What a reader types where a command asks, by page. A page below needs the files of those above. */
const STEPS: Readonly<Record<string, readonly ('samples_origin' | 'webhook_secret' | 'callback_origin')[]>> = {
  'quick-start': [],
  images: ['samples_origin'],
  results: [],
  idempotency: [],
  errors: [],
  webhooks: ['webhook_secret', 'callback_origin'],
  sharing: [],
  clients: [],
};
/** pip would need its index, which CI does not have: a wheel can be imported as it is. Its httpx is that of Debian. */
const OF_PYTHON = /^(python3 -m venv|\.venv\/)/m;

/** That of the path, or Debian's, which has the package python3-httpx. */
const python = ['python3', '/usr/bin/python3'].find((name) => spawnSync(name, ['-c', 'import httpx']).status === 0);

const missing = ['curl', 'jq', 'openssl', 'python3'].filter((program) => spawnSync(program, ['--version']).error);
if (missing.length > 0) process.stderr.write(`Without ${missing.join(', ')} the commands of the guide are not run.\n`);
const describeWithPrograms = missing.length > 0 ? describe.skip : describe;

/** Runs the commands of pages as they stand, in a folder that is empty at first. */
describeWithPrograms('the commands of the guide', () => {
  const stack = stackUnderTest();
  const folders: string[] = [];
  const newFolder = () => {
    folders.push(mkdtempSync(join(tmpdir(), 'tire-guide-')));
    return folders.at(-1)!;
  };
  const folder = newFolder();

  beforeAll(systemReady);
  afterAll(() => folders.forEach((one) => rmSync(one, { recursive: true, force: true })));

  /** One shell for all blocks of a page; each page begins in a shell that has the settings of the first one. */
  async function run(page: string, at: string, leftOut?: RegExp): Promise<string> {
    const [settings] = ofShell(await blocksOf('en', 'quick-start'));
    const blocks = await blocksOf('en', page);
    for (const { file, code } of blocks) if (file) writeFileSync(join(at, file), code);
    const commands = ofShell(blocks).filter((block) => block.code !== settings!.code && !leftOut?.test(block.code));
    const script = [settings!, ...commands].map(({ code }) => code).join('\n');
    const typed = [stack.keys.test, ...STEPS[page]!.map((name) => stack[name])].map((line) => `${line}\n`).join('');
    const environment = {
      PORT: new URL(stack.callback_origin).port,
      npm_config_cache: join(at, '.npm'),
      npm_config_audit: 'false',
      TIRE_CALLBACK_URL: `${stack.callback_origin}/guide`,
    };
    return runIn(at, ['bash', '-eo', 'pipefail', '-c', script], environment, typed).ended();
  }

  const depths = (output: string) => output.match(/^tire\.tread\.\w+ \d+(\.\d+)? mm$/gm);

  it('are the same in both languages, and all are run', async () => {
    const withCommands = new Set<string>();
    for (const page of await pagesOf('en')) {
      const [english, korean] = await Promise.all(LANGUAGES.map((language) => blocksOf(language, page)));
      expect([page, korean]).toEqual([page, english]);
      if (ofShell(english!).length > 0) withCommands.add(page);
    }
    expect(withCommands).toEqual(new Set(Object.keys(STEPS)));
  });

  it('measure four photographs by upload, whose bytes all arrive', async () => {
    const output = await run('quick-start', folder);
    const uploaded = [...output.matchAll(/^(\w+): 200, (\d+) bytes$/gm)].map(([, position, bytes]) => [position, Number(bytes)]);
    expect(uploaded).toEqual(POSITIONS.map((position) => [position, statSync(join(folder, `tread-${position}.jpg`)).size]));
    expect(depths(output)).toHaveLength(4);
    const page = output.trim().split('\n').at(-1)!;
    expect((await fetch(page)).status).toBe(200);
    expect(page).toContain(stack.share_url);
  });

  it('stop at a photograph that is not there', async () => {
    await expect(run('quick-start', newFolder(), /--remote-name-all/)).rejects.toThrow(/ended with 26/);
  });

  it('measure four photographs by address, and replace one', async () => {
    const output = await run('images', folder);
    expect(output).toContain('"status": "processing"');
    expect(depths(output)).toHaveLength(8);
  });

  it('read depths and content, and find the report again', async () => {
    const output = await run('results', folder);
    const { report_id } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as { report_id: string };
    expect(output.match(/^tire\.tread\.\w+\tsuccess\t-\t\d/gm)).toHaveLength(4);
    expect(output).toMatch(/^ready\ncritical\n\S/m);
    expect(output).toMatch(/^304$/m);
    expect(output).toContain(report_id);
  });

  it('create one report for two requests', async () => {
    const ids = (await run('idempotency', folder)).match(/^[0-9a-f-]{36}$/gm)!;
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  it('show every fault of a request', async () => {
    const { error } = JSON.parse((await run('errors', folder)).replace(/^[^{]*/, '')) as { error: { errors: { param: string }[] } };
    expect(error.errors.map(({ param }) => param)).toEqual(['template', 'callback_url']);
  });

  it('receive a webhook and verify it', async () => {
    const output = await run('webhooks', folder);
    expect(output).toMatch(/^verified$/m);
    expect(output).toContain('"type": "report.completed"');
    expect(output).toMatch(/"replayed": \d/);
  });

  it('end a share link, make another one, and discard the report', async () => {
    const output = await run('sharing', folder);
    expect(output).toMatch(/"status": "active"[\s\S]*^"revoked"\n"http\S+"$[\s\S]*"discarded_at"/m);
  });

  it('install the client for Node from the service, and measure with it', async () => {
    const output = await run('clients', folder, OF_PYTHON);
    expect(output.match(/^tire\.tread\.\w+ \d+(\.\d+)? mm$/gm)).toHaveLength(4);
    expect(output).toMatch(/^headline \S+/m);
    expect(output.match(/^tread-\w+\.jpg +\d+\.\d mm/gm)).toHaveLength(4);
  });

  (python ? it : it.skip)('name a wheel of the client for Python, which measures', async () => {
    const install = ofShell(await blocksOf('en', 'clients')).find(({ code }) => code.includes('pip install'))!;
    const [, path] = /(\/docs\/packages\/[\w.-]+\.whl)"$/m.exec(install.code)!;
    const served = await fetch(new URL(path!, docs()));
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const file = join(folder, path!.split('/').at(-1)!);
    writeFileSync(file, Buffer.from(await served.arrayBuffer()));
    const environment = {
      PYTHONPATH: file,
      TIRE_BASE_URL: stack.base_url,
      TIRE_API_KEY: stack.keys.test,
      TIRE_CALLBACK_URL: `${stack.callback_origin}/guide`,
      INSPECTION: `guide-${randomUUID()}`,
    };
    expect(depths(await runIn(folder, [python!, 'create.py'], environment).ended())).toHaveLength(4);
  });
});

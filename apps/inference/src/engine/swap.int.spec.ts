import { eventually } from '@tire/test-harness';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeImage } from '../imaging/decode';
import { loadRepository } from '../models/repository';
import { Engine } from './engine';
import { decodeLimits } from './model-worker';

const MODELS = join(__dirname, '../../models');
const never = new AbortController().signal;
/** For a fact that never occurs. A busy machine loads a model in a minute. */
const PATIENCE = { timeoutMs: 200_000 };
jest.setTimeout(1_000_000);

/** A repository whose golden image has no expected figures, so that loading is fast. */
async function repositoryOf(version: string): Promise<string> {
  const repository = await mkdtemp(join(tmpdir(), 'models-'));
  await addVersion(repository, version);
  return repository;
}

async function addVersion(repository: string, version: string, change: (manifest: Manifest) => void = () => undefined): Promise<void> {
  const folder = join(repository, `.tread-${version}`);
  await cp(join(MODELS, 'tread'), folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  manifest.version = version;
  manifest.golden.expected = {};
  change(manifest);
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await rename(folder, join(repository, `tread-${version}`));
}

interface Manifest {
  version: string;
  golden: { expected: Record<string, number> };
  files: Record<string, string>;
}

const swaps: string[] = [];
const faults: unknown[] = [];
let repository: string;
let engine: Engine;

beforeAll(async () => {
  repository = await repositoryOf('1.0.0');
  engine = new Engine(
    {
      repository,
      operations: ['tire.tread'],
      execution: { requested: ['cpu'], fallback: false },
      queue: { maxWaiting: 16, deadlineMs: 60_000 },
      pollEveryMs: 100,
    },
    { info: () => undefined, warn: () => undefined, error: (...line: unknown[]) => void faults.push(line) },
    { batchSent: () => undefined, rejected: (_, reason) => void faults.push(reason), swapped: (_, outcome) => void swaps.push(outcome) },
  );
  engine.start();
  await engine.onceReady('tire.tread');
});
afterAll(() => engine.stop());

const serves = (version: string) => eventually(async () => engine.models.every(({ manifest }) => manifest.version === version), PATIENCE);

/** Sends images without a pause until it is stopped, and records the version of each result. */
function load() {
  const answers: string[] = [];
  const end = new AbortController();
  const ask = async () => {
    const image = await decodeImage(await readFile(join(MODELS, 'tread/golden.jpg')), decodeLimits(engine.models[0]!));
    while (!end.signal.aborted) {
      const version = await engine.use('tire.tread', never, async (worker) => {
        const { outcome } = await worker.analyze(image, 'project');
        return `${worker.model.manifest.version} ${outcome.kind}`;
      });
      answers.push(version);
    }
  };
  const asking = [ask(), ask()];
  return {
    answers,
    stop: async () => {
      end.abort();
      await Promise.all(asking);
    },
  };
}

it('a higher version takes over under load, and its removal brings the old one back: no job fails', async () => {
  const work = load();
  await addVersion(repository, '1.1.0');
  await serves('1.1.0');
  await eventually(async () => work.answers.includes('1.1.0 tread'), PATIENCE);
  await rm(join(repository, 'tread-1.1.0'), { recursive: true });
  await serves('1.0.0');
  const before = work.answers.length;
  await eventually(async () => work.answers.length > before + 2, PATIENCE);
  await work.stop();
  expect(new Set(work.answers)).toEqual(new Set(['1.0.0 tread', '1.1.0 tread']));
  expect(work.answers.at(-1)).toBe('1.0.0 tread');
  expect([swaps, faults]).toEqual([['taken', 'taken'], []]);
});

it('a version with other figures or files than its manifest is refused, and the old one goes on', async () => {
  swaps.length = 0;
  expect(engine.refusals()).toEqual([{ operation: 'tire.tread', isRefused: false }]);
  await addVersion(repository, '2.0.0', (manifest) => (manifest.golden.expected = { grooves: 9 }));
  await eventually(async () => swaps.length === 1, PATIENCE);
  await addVersion(repository, '2.0.1', (manifest) => (manifest.files['tread.onnx'] = '0'.repeat(64)));
  await eventually(async () => swaps.length === 2, PATIENCE);
  expect(swaps).toEqual(['refused', 'refused']);
  expect(() => engine.assertReady()).not.toThrow();
  expect(engine.refusals()).toEqual([{ operation: 'tire.tread', isRefused: true }]);
  expect(engine.models[0]!.manifest.version).toBe('1.0.0');
  expect(faults.map((line) => JSON.stringify(line)).join()).toMatch(/grooves is 4, not 9.*tread.onnx has sha256/);
});

it('renews its thread without another version', async () => {
  swaps.length = 0;
  for (const version of ['2.0.0', '2.0.1']) await rm(join(repository, `tread-${version}`), { recursive: true });
  const first = await engine.use('tire.tread', never, async (worker) => worker);
  await engine.renew();
  expect(await engine.use('tire.tread', never, async (worker) => worker)).not.toBe(first);
  expect(swaps).toEqual(['taken']);
  expect(engine.refusals()).toEqual([{ operation: 'tire.tread', isRefused: false }]);
});

it('a repository that cannot be read is refused until it can be', async () => {
  const broken = join(repository, 'broken');
  await mkdir(broken);
  await writeFile(join(broken, 'manifest.json'), '{');
  await engine.refresh();
  expect(engine.refusals()).toEqual([{ operation: 'tire.tread', isRefused: true }]);
  expect(() => engine.assertReady()).not.toThrow();
  await rm(broken, { recursive: true });
  await engine.refresh();
  expect(engine.refusals()).toEqual([{ operation: 'tire.tread', isRefused: false }]);
});

describe('a candidate', () => {
  const [TRIES, OTHER] = ['0199c0de-0000-7000-8000-00000000000a', '0199c0de-0000-7000-8000-00000000000b'];
  const candidates = () => join(repository, 'candidates');
  const tryWith = (projects: unknown) => writeFile(join(candidates(), 'projects.json'), JSON.stringify(projects));
  const versionFor = (projectId?: string) => engine.use('tire.tread', never, async ({ model }) => model.manifest.version, projectId);
  const isRefused = () => engine.refusals()[0]!.isRefused;

  beforeAll(async () => {
    await mkdir(candidates());
    await addVersion(candidates(), '9.0.0');
  });
  afterAll(() => rm(candidates(), { recursive: true }));

  it('measures for the projects that try it, and the model that serves all measures for the others', async () => {
    await tryWith([TRIES]);
    await eventually(async () => (await versionFor(TRIES)) === '9.0.0', PATIENCE);
    expect([await versionFor(OTHER), await versionFor()]).toEqual(['1.0.0', '1.0.0']);
    expect(await engine.useAlone('tire.tread', never, async ({ model }) => model.manifest.version, undefined, TRIES)).toBe('9.0.0');
    expect(engine.models.map(({ manifest }) => manifest.version)).toEqual(['1.0.0']);
    expect([TRIES, OTHER].map((id) => engine.modelFor('tire.tread', id!)!.manifest.version)).toEqual(['9.0.0', '1.0.0']);
    await tryWith([OTHER]);
    await eventually(async () => (await versionFor(OTHER)) === '9.0.0', PATIENCE);
    expect(await versionFor(TRIES)).toBe('1.0.0');
  });

  it('that is refused, or a list that cannot be read, leaves all projects the model that serves all', async () => {
    await tryWith('all');
    await eventually(async () => isRefused(), PATIENCE);
    expect([await versionFor(OTHER), await versionFor(TRIES)]).toEqual(['1.0.0', '1.0.0']);
    expect(() => engine.assertReady()).not.toThrow();
    await tryWith([TRIES]);
    await eventually(async () => !isRefused() && (await versionFor(TRIES)) === '9.0.0', PATIENCE);
    await addVersion(candidates(), '9.0.1', (manifest) => (manifest.files['tread.onnx'] = '0'.repeat(64)));
    await eventually(async () => isRefused() && (await versionFor(TRIES)) === '1.0.0', PATIENCE);
    await rm(join(candidates(), 'tread-9.0.1'), { recursive: true });
    await eventually(async () => !isRefused() && (await versionFor(TRIES)) === '9.0.0', PATIENCE);
  });

  it('that cannot be read does not keep a project in the trial', async () => {
    const half = join(candidates(), 'half');
    await mkdir(half);
    await writeFile(join(half, 'manifest.json'), '{');
    await tryWith([OTHER]);
    await engine.refresh();
    expect([isRefused(), await versionFor(TRIES)]).toEqual([true, '1.0.0']);
    await rm(half, { recursive: true });
    await engine.refresh();
    expect([isRefused(), await versionFor(TRIES), await versionFor(OTHER)]).toEqual([false, '1.0.0', '9.0.0']);
    await tryWith([TRIES]);
    await engine.refresh();
  });

  it('that is removed leaves the model that serves all', async () => {
    await rm(join(candidates(), 'tread-9.0.0'), { recursive: true });
    await eventually(async () => (await versionFor(TRIES)) === '1.0.0', PATIENCE);
    expect(isRefused()).toBe(false);
  });
});

it('takes the highest version by number, and refuses duplicates', async () => {
  const versions = await repositoryOf('1.9.0');
  await addVersion(versions, '1.10.0');
  expect((await loadRepository(versions, ['tire.tread']))[0]!.manifest.version).toBe('1.10.0');
  await cp(join(versions, 'tread-1.10.0'), join(versions, 'again'), { recursive: true });
  await expect(loadRepository(versions, ['tire.tread'])).rejects.toThrow('tire.tread 1.10.0 exists twice');
});

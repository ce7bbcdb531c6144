import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCandidates, readProjects } from './candidates';
import { loadRepository, repositoryOf } from './repository';

const MODELS = join(__dirname, '../../models');

const ID = '0199c0de-0000-7000-8000-00000000000a';

it.each<[string, string[]]>([
  ['[]', []],
  [JSON.stringify([ID]), [ID]],
  [JSON.stringify([ID, ID.toUpperCase()]), [ID]],
])('%s', (text, ids) => {
  expect([...readProjects('folder', text)]).toEqual(ids);
});

it.each(['', '{}', '["all"]', '[1]', JSON.stringify(Array(1_001).fill(ID)), `"${ID}"`])('%.30s is refused', (text) => {
  expect(() => readProjects('folder', text)).toThrow(/model folder: projects\.json/);
});

describe('a candidate', () => {
  let repository: string;
  beforeEach(async () => {
    repository = await mkdtemp(join(tmpdir(), 'candidates-'));
    await mkdir(join(repository, 'candidates'));
    await cp(join(MODELS, 'sidewall'), join(repository, 'candidates/sidewall-x'), { recursive: true });
  });
  afterEach(() => rm(repository, { recursive: true }));

  it('finds the models of other operations in the repository, not beside itself', async () => {
    const [candidate] = await loadCandidates(repository, ['tire.sidewall'], []);
    expect(repositoryOf(candidate!)).toBe(repository);
    const [served] = await loadRepository(MODELS, ['tire.sidewall']);
    expect(repositoryOf(served!)).toBe(MODELS);
  });

  it('with the version of the served model is refused', async () => {
    const served = await loadRepository(MODELS, ['tire.sidewall']);
    await expect(loadCandidates(repository, ['tire.sidewall'], served)).rejects.toThrow(/is not higher than .*, which serves all projects/);
  });
});

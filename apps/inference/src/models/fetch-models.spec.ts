import { ConfigError, parseEnvironment } from '@tire/platform';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchModelsConfig } from '../config';
import { fetchModels } from './fetch-models';
import { loadRepository, verifyFiles } from './repository';

const MODELS = join(__dirname, '../../models');

describe('models in a bucket', () => {
  let server: Server;
  let origin: string;
  let repository: string;
  let changed: string | undefined;

  beforeEach(async () => {
    changed = undefined;
    repository = await mkdtemp(join(tmpdir(), 'models-'));
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://bucket');
      if (searchParams.get('sig') !== 'x') return void response.writeHead(403).end();
      readFile(join(MODELS, pathname)).then(
        (bytes) => response.end(pathname === changed ? Buffer.concat([bytes, Buffer.from(' ')]) : bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    server.close();
    await rm(repository, { recursive: true });
  });

  const address = async (model: string) => ({
    url: `${origin}/${model}/manifest.json?sig=x`,
    sha256: createHash('sha256')
      .update(await readFile(join(MODELS, model, 'manifest.json')))
      .digest('hex'),
  });

  it('are downloaded into a repository that a worker loads', async () => {
    await fetchModels([await address('tread'), await address('sidewall')], repository);
    const models = await loadRepository(repository, ['tire.tread', 'tire.sidewall']);
    await Promise.all(models.map(verifyFiles));
    expect(models.map(({ manifest }) => manifest.operation)).toEqual(['tire.tread', 'tire.sidewall']);
  });

  it.each(['/tread/manifest.json', '/tread/golden.jpg'])('are refused when %s has another sha256', async (path) => {
    changed = path;
    await expect(fetchModels([await address('tread')], repository)).rejects.toThrow(/has sha256/);
    const folders = await readdir(repository);
    expect((await Promise.all(folders.map((folder) => readdir(join(repository, folder))))).flat()).not.toContain('manifest.json');
  });

  it('are refused when they are missing, with no signature in the message', async () => {
    const gone = { url: `${origin}/none/manifest.json?sig=x`, sha256: 'a'.repeat(64) };
    await expect(fetchModels([gone], repository)).rejects.toThrow(/none\/manifest\.json: the store answered 404$/);
  });
});

describe('the credentials of a bucket', () => {
  const MODEL_MANIFESTS = JSON.stringify([{ url: 'https://s3.example.com/models/tread/manifest.json', sha256: 'a'.repeat(64) }]);
  const read = (keys: Record<string, string>) => parseEnvironment(fetchModelsConfig, { MODEL_MANIFESTS, ...keys });

  it('are both set or both absent', () => {
    const keys = { MODEL_BUCKET_ACCESS_KEY: 'tire', MODEL_BUCKET_SECRET_KEY: 'secret' };
    expect(read(keys)).toMatchObject(keys);
    expect(read({})).not.toHaveProperty('MODEL_BUCKET_ACCESS_KEY');
  });

  it.each([
    [{ MODEL_BUCKET_ACCESS_KEY: 'tire' }, 'MODEL_BUCKET_SECRET_KEY'],
    // This is what a Kubernetes secret without a value gives.
    [{ MODEL_BUCKET_ACCESS_KEY: 'tire', MODEL_BUCKET_SECRET_KEY: '' }, 'MODEL_BUCKET_SECRET_KEY'],
    [{ MODEL_BUCKET_SECRET_KEY: 'secret' }, 'MODEL_BUCKET_ACCESS_KEY'],
  ])('are refused one without the other: %j', (keys, variable) => {
    expect(() => read(keys)).toThrow(new ConfigError([{ variable, fault: 'required' }]));
  });
});

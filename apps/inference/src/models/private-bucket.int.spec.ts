import { tempDir } from '@tire/test-harness';
import { Client } from 'minio';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fetchModels, type BucketKeys } from './fetch-models';
import { loadRepository, verifyFiles } from './repository';

/**
 * The used part of @20minutes/s3rver, a small S3 server that checks signatures and accepts anonymous requests. The package has no types.
 */
type S3rver = new (options: {
  port: number;
  address: string;
  silent: boolean;
  directory: string;
  configureBuckets: { name: string }[];
}) => {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
};

const MODEL = join(__dirname, '../../models/tread');
const BUCKET = 'models';
const KEYS: BucketKeys = { accessKey: 'S3RVER', secretKey: 'S3RVER', region: 'us-east-1' };

describe('models in a private bucket', () => {
  let server: InstanceType<S3rver>;
  let directory: string;
  let repository: string;
  let address: { url: string; sha256: string };

  beforeAll(async () => {
    [directory, repository] = [await tempDir(), await tempDir()];
    const Server = createRequire(__filename)('@20minutes/s3rver') as S3rver;
    server = new Server({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: BUCKET }] });
    const { port } = await server.run();
    const client = new Client({ endPoint: '127.0.0.1', port, useSSL: false, ...KEYS });
    for (const file of await readdir(MODEL)) await client.putObject(BUCKET, `v1/tread/${file}`, await readFile(join(MODEL, file)));
    address = {
      url: `http://127.0.0.1:${port}/${BUCKET}/v1/tread/manifest.json`,
      sha256: createHash('sha256')
        .update(await readFile(join(MODEL, 'manifest.json')))
        .digest('hex'),
    };
  });

  afterAll(async () => {
    await server?.close();
    for (const folder of [directory, repository]) await rm(folder, { recursive: true, force: true });
  });

  it('are downloaded with its credentials', async () => {
    const requested = jest.spyOn(globalThis, 'fetch');
    await fetchModels([address], repository, KEYS);
    const unsigned = requested.mock.calls.map(([url]) => String(url)).filter((url) => !/[?&]X-Amz-Signature=[0-9a-f]{64}/.test(url));
    requested.mockRestore();
    expect(unsigned).toEqual([]);
    const models = await loadRepository(repository, ['tire.tread']);
    await Promise.all(models.map(verifyFiles));
  });

  it('are refused to other credentials, with no signature in the message', async () => {
    const refused = fetchModels([address], repository, { ...KEYS, secretKey: 'another' });
    await expect(refused).rejects.toThrow(/models\/v1\/tread\/manifest\.json: the store answered 403$/);
  });
});

import { startSmallS3, tempDir, type SmallS3 } from '@tire/test-harness';
import { Client } from 'minio';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchModels, type BucketKeys } from './fetch-models';
import { loadRepository, verifyFiles } from './repository';

const MODEL = join(__dirname, '../../models/tread');
const BUCKET = 'models';

describe('models in a private bucket', () => {
  let server: SmallS3;
  let keys: BucketKeys;
  let repository: string;
  let address: { url: string; sha256: string };

  beforeAll(async () => {
    [server, repository] = [await startSmallS3(BUCKET), await tempDir()];
    const { port, accessKey, secretKey } = server;
    keys = { accessKey, secretKey, region: 'us-east-1' };
    const client = new Client({ endPoint: '127.0.0.1', port, useSSL: false, ...keys });
    for (const file of await readdir(MODEL)) await client.putObject(BUCKET, `v1/tread/${file}`, await readFile(join(MODEL, file)));
    address = {
      url: `http://127.0.0.1:${port}/${BUCKET}/v1/tread/manifest.json`,
      sha256: createHash('sha256')
        .update(await readFile(join(MODEL, 'manifest.json')))
        .digest('hex'),
    };
  });

  afterAll(async () => {
    await server?.stop();
    await rm(repository, { recursive: true, force: true });
  });

  it('are downloaded with its credentials', async () => {
    const requested = jest.spyOn(globalThis, 'fetch');
    await fetchModels([address], repository, keys);
    const unsigned = requested.mock.calls.map(([url]) => String(url)).filter((url) => !/[?&]X-Amz-Signature=[0-9a-f]{64}/.test(url));
    requested.mockRestore();
    expect(unsigned).toEqual([]);
    const models = await loadRepository(repository, ['tire.tread']);
    await Promise.all(models.map(verifyFiles));
  });

  it('are refused to other credentials, with no signature in the message', async () => {
    const refused = fetchModels([address], repository, { ...keys, secretKey: 'another' });
    await expect(refused).rejects.toThrow(/models\/v1\/tread\/manifest\.json: the store answered 403$/);
  });
});

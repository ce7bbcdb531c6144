import { eventually, startSmallS3, type SmallS3 } from '@tire/test-harness';
import { objectStoreConformance } from './object-store.conformance';
import { s3Client, S3Store, type S3StoreOptions } from './s3.store';

const BUCKET = 'conformance';

/** These servers have their own clocks: requests are repeated until the server refuses one. */
const expireByPolling = (store: S3Store) => async (lifetimeSeconds: number) => {
  const url = await store.signGet('never/written', lifetimeSeconds);
  await eventually(async () => (await fetch(url)).status === 403, { timeoutMs: (lifetimeSeconds + 60) * 1000 });
};

describe('objects on s3rver', () => {
  let server: SmallS3;

  // It writes bytes and headers in two files and fails on a range beyond the end: see isExact.
  objectStoreConformance(
    async () => {
      server = await startSmallS3(BUCKET);
      const { port, accessKey, secretKey } = server;
      const store = new S3Store({ endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', bucket: BUCKET, accessKey, secretKey });
      return { store, expire: expireByPolling(store) };
    },
    { isExact: false, isOrdered: false },
  );

  afterAll(() => server?.stop());
});

const { S3_TEST_ENDPOINT, S3_TEST_REGION = 'us-east-1', S3_TEST_ACCESS_KEY = '', S3_TEST_SECRET_KEY = '' } = process.env;

/** Runs where the environment names a server: MinIO, SeaweedFS, Ceph, AWS. */
(S3_TEST_ENDPOINT ? describe : describe.skip)('objects on a real S3 server', () => {
  objectStoreConformance(
    async () => {
      const options: S3StoreOptions = {
        endpoint: S3_TEST_ENDPOINT ?? '',
        region: S3_TEST_REGION,
        bucket: BUCKET,
        accessKey: S3_TEST_ACCESS_KEY,
        secretKey: S3_TEST_SECRET_KEY,
      };
      const client = s3Client(options);
      if (!(await client.bucketExists(BUCKET))) await client.makeBucket(BUCKET, S3_TEST_REGION);
      const store = new S3Store(options);
      return { store, expire: expireByPolling(store) };
    },
    { isOrdered: false },
  );
});

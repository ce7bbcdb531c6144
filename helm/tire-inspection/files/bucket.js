const { Client } = require('minio');
const { OBJECT_STORE_S3_ENDPOINT, OBJECT_STORE_S3_REGION, OBJECT_STORE_S3_BUCKET, ...keys } = process.env;
const { hostname, port, protocol } = new URL(OBJECT_STORE_S3_ENDPOINT);
const client = new Client({
  endPoint: hostname,
  port: port ? Number(port) : undefined,
  useSSL: protocol === 'https:',
  region: OBJECT_STORE_S3_REGION,
  accessKey: keys.OBJECT_STORE_S3_ACCESS_KEY,
  secretKey: keys.OBJECT_STORE_S3_SECRET_KEY,
});

(async () => {
  if (!(await client.bucketExists(OBJECT_STORE_S3_BUCKET))) await client.makeBucket(OBJECT_STORE_S3_BUCKET, OBJECT_STORE_S3_REGION);
})().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});

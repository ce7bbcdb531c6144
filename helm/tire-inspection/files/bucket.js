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

// The server starts at the same time as this job.
const WAIT_MS_MAX = 5 * 60_000;
const RETRY_MS = 1_000;
const AWAY =
  /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|socket hang up|InternalError|SlowDown|ServiceUnavailable/;

async function make() {
  if (!(await client.bucketExists(OBJECT_STORE_S3_BUCKET))) await client.makeBucket(OBJECT_STORE_S3_BUCKET, OBJECT_STORE_S3_REGION);
}

const reasonOf = ({ code = '', message, errors = [] }) => [code, message, ...errors.map(reasonOf)].filter(Boolean).join(' ');

(async () => {
  const deadlineMs = Date.now() + WAIT_MS_MAX;
  let reported;
  for (;;) {
    const reason = await make().then(() => null, reasonOf);
    if (reason === null) return;
    if (!AWAY.test(reason) || Date.now() > deadlineMs) throw new Error(reason);
    if (reason !== reported) console.log(`waiting for the S3 server: ${reason}`);
    reported = reason;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
})().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});

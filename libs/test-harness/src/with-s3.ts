import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './infrastructure';
import { Unavailable, runCommandIn, type Servers } from './run-command';
import { ensureWeedBinary, startWeed } from './weed';

async function start(): Promise<Servers> {
  if (process.env['S3_TEST_ENDPOINT']) return { stop: () => Promise.resolve() };
  const binary = await ensureWeedBinary(join(repositoryRoot(), '.local/cache')).catch((error: Error) => {
    throw new Unavailable(`SKIPPED, no real S3 server: ${error.message}, and S3_TEST_ENDPOINT is not set.`);
  });
  const folder = await mkdtemp(join(tmpdir(), 'tire-s3-'));
  const [accessKey, secretKey] = ['conformance', randomBytes(16).toString('hex')];
  const server = await startWeed({ binary, folder, accessKey, secretKey });
  console.log(`SeaweedFS (${binary}) answers at ${server.endpoint}`);
  return {
    env: { S3_TEST_ENDPOINT: server.endpoint, S3_TEST_ACCESS_KEY: accessKey, S3_TEST_SECRET_KEY: secretKey },
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Runs a command with a real S3 server: with-s3 <command> <arguments…>. The server is the one that S3_TEST_ENDPOINT names, or else a
 * new SeaweedFS on a temporary folder and free ports. Without either, the program prints the reason and skips the command.
 */
runCommandIn(start);

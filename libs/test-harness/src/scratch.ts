import { mkdtemp } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Names the folder for the files of this test run. The launcher removes it, because a Jest worker ends without a hook. */
export const RUN_FOLDER = 'TIRE_TEST_FOLDER';

/** A new empty folder that is removed at the end of the run. Outside a run the caller removes it. */
export const tempDir = (): Promise<string> => mkdtemp(join(process.env[RUN_FOLDER] ?? tmpdir(), 'tire-'));

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

/** Where this run of tests keeps its files; its launcher removes it, because a Jest worker ends without a word. */
export const RUN_FOLDER = 'TIRE_TEST_FOLDER';

/** A new empty folder, gone when the run is. Outside a run it is the caller's to remove. */
export const tempDir = (): Promise<string> => mkdtemp(join(process.env[RUN_FOLDER] ?? tmpdir(), 'tire-'));

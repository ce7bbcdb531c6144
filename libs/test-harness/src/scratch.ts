import { mkdtemp } from 'node:fs/promises';
import { rmSync } from 'node:fs';
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

const folders = new Set<string>();

/** A new empty folder that is gone when this process is. */
export async function tempDir(prefix = 'tire-', parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix));
  if (folders.size === 0) process.once('exit', () => folders.forEach((path) => rmSync(path, { recursive: true, force: true })));
  folders.add(folder);
  return folder;
}

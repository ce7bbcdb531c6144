import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Below the range from which systems take the port of an outgoing connection: such a port may be in use when the server starts. Runs beside
 * each other have separate parts of it (TIRE_PORTS=first-end), because a server that a test kills needs its port again.
 */
const [first, end] = (process.env['TIRE_PORTS'] ?? '10240-32768').split('-').map(Number) as [number, number];

/** Names the folder for the files of this test run. The launcher removes it, because a Jest worker ends without a hook. */
export const RUN_FOLDER = 'TIRE_TEST_FOLDER';

/** After so many ports that were given before, one of them is given again: most servers have ended by then. */
const TRIES_MAX = 1_000;

const given = new Set<number>();

/**
 * A server listens only a while after it got its port. Meanwhile neither another test of this file nor another process of the run may get it.
 * All of them write down their ports in one folder.
 */
async function isNew(port: number): Promise<boolean> {
  if (given.has(port)) return false;
  given.add(port);
  const folder = process.env['TIRE_PORTS_NOTED'] ?? process.env[RUN_FOLDER];
  if (!folder) return true;
  return writeFile(join(folder, `port-${port}`), '', { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'EEXIST',
  );
}

/** A port of 127.0.0.1 that was free a moment ago, and that this run got for nothing else. */
export async function freePort(): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const port = randomInt(first, end);
    if (tries < TRIES_MAX && !(await isNew(port))) continue;
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** A new empty folder that is removed at the end of the run. Outside a run the caller removes it. */
export const tempDir = (): Promise<string> => mkdtemp(join(process.env[RUN_FOLDER] ?? tmpdir(), 'tire-'));

/**
 * A folder that the suites of a run share. The first one that needs it makes its files. If two make them at the same time, one result is
 * kept; so the files must not depend on who makes them.
 */
export async function sharedFolder(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const run = process.env[RUN_FOLDER];
  const shared = run && join(run, name);
  if (shared && existsSync(shared)) return shared;
  const folder = await tempDir();
  await make(folder);
  if (!shared) return folder;
  return rename(folder, shared).then(
    () => shared,
    (error: NodeJS.ErrnoException) => (['ENOTEMPTY', 'EEXIST'].includes(error.code ?? '') ? shared : Promise.reject(error)),
  );
}

import { findExecutable, Unavailable } from '@tire/test-harness';
import { statfs } from 'node:fs/promises';
import { run } from './commands';

const TOOLS = ['buildah', 'debootstrap', 'ip', 'psql', 'unshare'];
const GIB = 1024 ** 3;
/** The images and their build stages need 7 GiB. */
const FREE_GIB_MIN = 10;

/** If images cannot be built here, the check reports the reason and does not fail. */
export async function requireWhatBuilds(parent: string): Promise<void> {
  if (process.platform !== 'linux' || process.getuid!() !== 0) throw new Unavailable('it needs root on Linux');
  const missing: string[] = [];
  for (const tool of TOOLS) if (!(await findExecutable(tool))) missing.push(tool);
  if (missing.length > 0) throw new Unavailable(`${missing.join(', ')} is not installed`);
  await run('unshare', ['--mount', '--net', 'true']).catch((cause: Error) => {
    throw new Unavailable('root may have no mounts and networks of its own here', { cause });
  });
  const { bavail, bsize } = await statfs(parent);
  if (bavail * bsize < FREE_GIB_MIN * GIB) throw new Unavailable(`${parent} has less than ${FREE_GIB_MIN} GiB free`);
}

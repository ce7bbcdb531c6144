import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Memory first. A container has 64 MiB of it for files, which is several images. */
const PLACES = ['/dev/shm', tmpdir()];
const PREFIX = 'tire-pixels-';

let folder: string | undefined;
let given = 0;

/** A process that was killed leaves its folder. In a container the next one has the same id. */
function isLeftover(name: string): boolean {
  const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? NaN);
  if (!(pid > 0)) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function folderIn(place: string): string | undefined {
  const leftovers = tried(() => readdirSync(place).filter(isLeftover)) ?? [];
  // Another user's stays.
  for (const name of leftovers) tried(() => rmSync(join(place, name), { recursive: true, force: true }));
  return tried(() => mkdtempSync(join(place, `${PREFIX}${process.pid}-`)));
}

/** Only its owner can enter it. It ends with this process. */
function folderOfThisProcess(): string | undefined {
  if (folder !== undefined) return folder;
  for (const place of PLACES) folder ??= folderIn(place);
  if (folder !== undefined) process.once('exit', () => rmSync(folder!, { recursive: true, force: true }));
  return folder;
}

/** The path of a new file for the pixels of an image. Undefined where no place can be written. */
export function newPixelFile(): string | undefined {
  const own = folderOfThisProcess();
  return own === undefined ? undefined : join(own, String(++given));
}

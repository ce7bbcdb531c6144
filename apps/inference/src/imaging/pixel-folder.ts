import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Memory first. A container has 64 MiB of it for files, which is several images. */
const PLACES = ['/dev/shm', tmpdir()];
const PREFIX = 'tire-pixels-';
/** Another container may share a place and have processes with the same ids: a folder that was used lately stays. */
const YOUNG_MS = 300_000;

let folder: string | undefined;
let given = 0;

/** A process that was killed leaves its folder. In a container the next one has the same id. */
function isLeftover(path: string): boolean {
  const name = basename(path);
  const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? NaN);
  if (!(pid > 0) || path === folder || Date.now() - statSync(path).mtimeMs < YOUNG_MS) return false;
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

/** Removes what ended processes left, in both places. */
export function removeLeftovers(): void {
  for (const place of PLACES) {
    const paths = (tried(() => readdirSync(place)) ?? []).map((name) => join(place, name));
    // Another user's stays.
    for (const path of paths) tried(() => isLeftover(path) && rmSync(path, { recursive: true, force: true }));
  }
}

/** At the start of the service, and later what was too young then. */
export function keepRemovingLeftovers(): void {
  removeLeftovers();
  setInterval(removeLeftovers, YOUNG_MS).unref();
}

let endsWithProcess = false;

/** Only its owner can enter it. It ends with this process. Another container, which does not see this process, may have removed it. */
function folderOfThisProcess(): string | undefined {
  if (folder !== undefined && existsSync(folder)) return folder;
  folder = undefined;
  for (const place of PLACES) folder ??= tried(() => mkdtempSync(join(place, `${PREFIX}${process.pid}-`)));
  if (!endsWithProcess) process.once('exit', () => folder !== undefined && rmSync(folder, { recursive: true, force: true }));
  endsWithProcess = true;
  return folder;
}

/** The path of a new file for the pixels of an image. Undefined where no place can be written. */
export function newPixelFile(): string | undefined {
  const own = folderOfThisProcess();
  return own === undefined ? undefined : join(own, String(++given));
}

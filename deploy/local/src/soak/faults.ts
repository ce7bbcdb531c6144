import { ensureDebianFile } from './debian-file';
import { execFile } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DIRECTIONS, type Direction } from '../links/link';
import type { Links } from '../links/links';
import type { Stack } from '../stack';
import { REPOSITORY_ROOT, stackDir } from '../stack-file';
import { SERVICES, type ServiceName } from '../topology';

const run = promisify(execFile);

export interface Fault {
  readonly name: string;
  /** Resolves when the cause is gone. */
  make(): Promise<void>;
}

export interface World {
  readonly stack: Stack;
  readonly links: Links;
  readonly random: () => number;
  /** Small file systems, by what is on them. Empty where none can be mounted. */
  readonly disks: Readonly<Record<string, string>>;
  /** The library that moves clocks. Null where it cannot be had. */
  readonly clockLibrary: string | null;
}

const OBJECTS_LINK = 'objects';
const HOUR = '+1h';

const kill = ({ stack }: World, name: string, signal: NodeJS.Signals = 'SIGKILL'): void => {
  const pid = stack.file.pids[name];
  if (pid !== undefined) process.kill(pid, signal);
};

async function loseBroker(world: World): Promise<void> {
  kill(world, 'nats');
  await rm(join(stackDir(), 'nats', 'jetstream'), { recursive: true, force: true });
}

/** Cuts and heals in turn: most of the time nothing passes. */
async function slow(links: Links, name: string, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 1) {
    links.get(name).cut();
    await pause(800);
    links.get(name).heal();
    await pause(200);
  }
}

async function cut(links: Links, name: string, directions: readonly Direction[], seconds: number): Promise<void> {
  links.get(name).cut(directions);
  await pause(seconds * 1_000);
  links.get(name).heal();
}

/** Takes a share of a small file system for a while. 1: writes fail. */
async function fillDisk(folder: string, share: number, seconds: number): Promise<void> {
  const { blocks, bavail, bsize } = await statfs(folder);
  const ballast = join(folder, 'ballast');
  const bytes = Math.max(0, Math.floor(bavail * bsize - (1 - share) * blocks * bsize));
  try {
    // A full disk ends the write: what fits is there.
    await writeFile(ballast, Buffer.alloc(bytes)).catch(() => undefined);
    await pause(seconds * 1_000);
  } finally {
    await rm(ballast, { force: true });
  }
}

/** The process starts again with a clock that is an hour ahead, and later with the right one. */
async function moveClock(world: World, name: ServiceName, library: string, seconds: number): Promise<void> {
  const environment = world.stack.environment[name];
  Object.assign(environment, { LD_PRELOAD: library, FAKETIME: HOUR, FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' });
  kill(world, name, 'SIGTERM');
  try {
    await pause(seconds * 1_000);
  } finally {
    for (const variable of ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC', 'DONT_FAKE_MONOTONIC']) delete environment[variable];
    kill(world, name, 'SIGTERM');
  }
}

/** Every kind of fault once. */
export function faultsOf(world: World): Fault[] {
  const { links, random, disks, clockLibrary } = world;
  const choice = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const between = links.names.filter((name) => name !== OBJECTS_LINK);
  const lost = choice(between);
  const directions = choice<readonly Direction[]>([DIRECTIONS, ['requests'], ['answers']]);
  const late = choice(SERVICES);
  return [
    ...[...SERVICES, 'nats', 'postgres'].map((name) => ({ name: `${name} killed`, make: () => Promise.resolve(kill(world, name)) })),
    { name: 'store of the broker deleted', make: () => loseBroker(world) },
    { name: 'Postgres restarted', make: () => Promise.resolve(kill(world, 'postgres', 'SIGINT')) },
    { name: 'S3 slow', make: () => slow(links, OBJECTS_LINK, 10) },
    { name: 'S3 away', make: () => cut(links, OBJECTS_LINK, DIRECTIONS, 15) },
    { name: `packets lost: ${lost}, ${directions.join(' and ')}`, make: () => cut(links, lost, directions, 8) },
    ...Object.entries(disks).flatMap(([what, folder]) => [
      { name: `disk of ${what} at 95 %`, make: () => fillDisk(folder, 0.95, 10) },
      { name: `disk of ${what} at 100 %`, make: () => fillDisk(folder, 1, 3) },
    ]),
    ...(clockLibrary ? [{ name: `clock of ${late} an hour ahead`, make: () => moveClock(world, late, clockLibrary, 15) }] : []),
  ];
}

/** A small file system in memory at a folder. Null where this user may not mount one. */
export async function mountSmall(folder: string, mib: number): Promise<string | null> {
  return run('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=0755`, 'tmpfs', folder]).then(
    () => folder,
    () => null,
  );
}

export const unmount = (folder: string): Promise<unknown> => run('umount', ['--lazy', folder]).catch(() => undefined);

const LIBRARY = { package: 'libfaketime', path: /\/faketime\/libfaketime\.so\.1$/ };

export const clockLibrary = (): Promise<string | null> =>
  ensureDebianFile(LIBRARY, join(REPOSITORY_ROOT, '.local/cache')).catch(() => null);

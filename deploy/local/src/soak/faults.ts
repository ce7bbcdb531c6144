import { execFile } from 'node:child_process';
import { open, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { again, pause, type Repair } from '../drill/injections';
import { type Direction, DIRECTIONS } from '../links/link';
import type { Links } from '../links/links';
import type { Stack } from '../stack';
import { REPOSITORY_ROOT, stackDir } from '../stack-file';
import { SERVICES } from '../topology';
import type { FaultKind } from './plan';

const run = promisify(execFile);

export interface Fault extends FaultKind {
  /** Resolves when the cause is there, with what takes it away. */
  inject(place: string): Promise<Repair>;
}

export interface World {
  readonly stack: Stack;
  readonly links: Links;
  /** Small file systems, by what is on them. */
  readonly disks: Readonly<Record<string, string>>;
}

export const OBJECTS_LINK = 'objects';
const EVERYWHERE = [''];
const NOTHING: Repair = async () => undefined;

function signal({ stack }: World, name: string, how: NodeJS.Signals): void {
  const pid = stack.file.pids[name];
  if (pid !== undefined) process.kill(pid, how);
}

async function loseBroker(world: World): Promise<Repair> {
  signal(world, 'nats', 'SIGKILL');
  await rm(join(stackDir(), 'nats', 'jetstream'), { recursive: true, force: true });
  return NOTHING;
}

async function cut(links: Links, name: string, directions: readonly Direction[]): Promise<Repair> {
  links.get(name).cut(directions);
  return async () => links.get(name).heal();
}

/** Most of the time nothing passes. */
const slow = (links: Links, name: string): Repair =>
  again(async () => {
    links.get(name).cut();
    await pause(800);
    links.get(name).heal();
    await pause(200);
  });

const PORTION = Buffer.alloc(1 << 20);

/** Takes of a small file system what is free above a share. 1: the next write fails. */
async function fill(folder: string, share: number): Promise<Repair> {
  const { blocks, bavail, bsize } = await statfs(folder);
  const file = join(folder, 'ballast');
  const ballast = await open(file, 'w');
  try {
    let left = share === 1 ? Infinity : Math.floor((bavail - blocks * (1 - share)) * bsize);
    for (; left > 0; left -= PORTION.length) await ballast.write(PORTION, 0, Math.min(left, PORTION.length));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') {
      await rm(file);
      throw error;
    }
  } finally {
    await ballast.close();
  }
  return () => rm(file, { force: true });
}

const TERM_MS = 5_000;

/**
 * JetStream stays disabled after a full disk until its server starts again, and a server in this state may not end on SIGTERM. In a cluster
 * its probes see to both.
 */
async function fillBroker(world: World, folder: string): Promise<Repair> {
  const free = await fill(folder, 1);
  return async () => {
    await free();
    const { nats: pid } = world.stack.file.pids;
    signal(world, 'nats', 'SIGTERM');
    await pause(TERM_MS);
    if (world.stack.file.pids['nats'] === pid) signal(world, 'nats', 'SIGKILL');
  };
}

export const clockFile = (name: string): string => join(stackDir(), 'soak', `${name}.clock`);

/** What a service needs, so that its clock can be moved while it runs. */
export const movableClock = (name: string): Record<string, string> => ({
  NODE_OPTIONS: `--require ${join(REPOSITORY_ROOT, 'deploy/local/src/soak/clock.cjs')}`,
  SOAK_CLOCK: clockFile(name),
});

const HOUR_MS = 3_600_000;

async function moveClock(name: string, aheadMs: number): Promise<Repair> {
  await writeFile(clockFile(name), String(aheadMs));
  return () => rm(clockFile(name), { force: true });
}

const WAYS: readonly (readonly Direction[])[] = [DIRECTIONS, ['requests'], ['answers']];
const LOSSES = WAYS.map((directions) => directions.join(' and '));

export function faultsOf(world: World): Fault[] {
  const { links, disks } = world;
  const between = links.names.filter((name) => name !== OBJECTS_LINK);
  const now = (name: string, inject: Fault['inject']): Fault => ({ name, holdMs: 0, places: EVERYWHERE, inject });
  return [
    ...[...SERVICES, 'nats', 'postgres'].map((name) =>
      now(`${name} killed`, async () => {
        signal(world, name, 'SIGKILL');
        return NOTHING;
      }),
    ),
    now('the store of the broker deleted', () => loseBroker(world)),
    now('Postgres restarted', async () => {
      signal(world, 'postgres', 'SIGINT');
      return NOTHING;
    }),
    { name: 'S3 slow', holdMs: 10_000, places: EVERYWHERE, inject: async () => slow(links, OBJECTS_LINK) },
    { name: 'S3 away', holdMs: 15_000, places: EVERYWHERE, inject: () => cut(links, OBJECTS_LINK, DIRECTIONS) },
    {
      name: 'packets lost',
      holdMs: 8_000,
      places: between.flatMap((name) => LOSSES.map((loss) => `${name}: ${loss}`)),
      inject: (place) => {
        const [name, loss] = place.split(': ') as [string, string];
        return cut(links, name, WAYS[LOSSES.indexOf(loss)]!);
      },
    },
    ...Object.entries(disks).flatMap(([what, folder]) => [
      { name: `disk of ${what} 95 % full`, holdMs: 8_000, places: EVERYWHERE, inject: () => fill(folder, 0.95) },
      {
        name: `disk of ${what} full`,
        holdMs: 4_000,
        places: EVERYWHERE,
        inject: () => (what === 'broker' ? fillBroker(world, folder) : fill(folder, 1)),
      },
    ]),
    { name: 'clock an hour ahead', holdMs: 10_000, places: SERVICES, inject: (name) => moveClock(name, HOUR_MS) },
    { name: 'clock an hour behind', holdMs: 10_000, places: SERVICES, inject: (name) => moveClock(name, -HOUR_MS) },
  ];
}

/** A small file system in memory. Null where this user may not mount one. */
export const mountSmall = (folder: string, mib: number): Promise<string | null> =>
  run('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=0700`, 'tire-soak', folder]).then(
    () => folder,
    () => null,
  );

export const unmount = (folder: string): Promise<unknown> => run('umount', ['--lazy', folder]).catch(() => undefined);

import { ATTRIBUTES, meter, METRICS } from '@tire/platform';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Config } from '../config';

/** The share of the file system that this process may still fill. */
async function freeRatio(path: string): Promise<number> {
  const { bavail, blocks } = await statfs(path);
  return blocks === 0 ? 1 : bavail / blocks;
}

/** The disks that this service fills itself: images that it fetches lie in the folder for temporary files first. */
export function watchDisks({ OBJECT_STORE, OBJECT_STORE_DISK_ROOT: root }: Pick<Config, 'OBJECT_STORE' | 'OBJECT_STORE_DISK_ROOT'>): void {
  const disks = [{ kind: 'temporary', path: tmpdir() }, ...(OBJECT_STORE === 'disk' ? [{ kind: 'objects', path: root! }] : [])];
  meter()
    .createObservableGauge(METRICS.diskFree, { description: 'Share of a disk that is free' })
    .addCallback(async (result) => {
      for (const { kind, path } of disks) {
        const free = await freeRatio(path).catch(() => undefined);
        if (free !== undefined) result.observe(free, { [ATTRIBUTES.kind]: kind });
      }
    });
}

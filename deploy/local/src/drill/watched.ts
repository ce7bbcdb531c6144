import { type Manifest, merged, ofKind, render, REQUIRED } from '@tire/chart';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY_ROOT, stackDir } from '../stack-file';
import { type Fault, FAULTS } from './faults';
import { mountSmallDisk } from './injections';
import { Prometheus } from './prometheus';
import { readEveryS, type RuleGroups, scaledRules } from './scaled-rules';
import { type Drill, startDrill } from './world';

export const NAMESPACE = 'tire';

export interface Watched {
  readonly drill: Drill;
  readonly prometheus: Prometheus;
  /** Those that can be injected here. */
  readonly faults: readonly Fault[];
}

/** The rules as a cluster gets them. */
async function renderedRules(): Promise<RuleGroups> {
  const manifests: Manifest[] = await render(merged(REQUIRED, { metrics: { alerts: true } }));
  return ofKind(manifests, 'PrometheusRule')[0]!.spec as unknown as RuleGroups;
}

/** The folder of the drill is emptied. A given one may hold another stack, so it must be empty. */
async function takeFolder(name: string): Promise<void> {
  const isGiven = process.env['STACK_DIR'] !== undefined;
  process.env['STACK_DIR'] ??= join(REPOSITORY_ROOT, '.local', name);
  if (!isGiven) await rm(stackDir(), { recursive: true, force: true });
  await mkdir(stackDir(), { recursive: true });
  if ((await readdir(stackDir())).length > 0) throw new Error(`STACK_DIR is not empty: ${stackDir()}`);
}

/** A stack of its own and a Prometheus with the rules of the chart, of a day that passes `scale` times as fast. */
export async function watched<T>({ folder, scale }: { folder: string; scale: number }, use: (place: Watched) => Promise<T>): Promise<T> {
  await takeFolder(folder);
  const rules = scaledRules(await renderedRules(), scale);
  const unmount = await mountSmallDisk().catch((error: Error) => {
    console.log(`No small disk: ${error.message.trim()}`);
    return undefined;
  });
  const faults = unmount ? FAULTS : FAULTS.filter(({ alerts }) => !alerts.some(({ alert }) => alert === 'TireDiskFull'));
  try {
    return await useWatched({ scale, rules }, faults, use);
  } finally {
    await unmount?.();
  }
}

async function useWatched<T>(
  { scale, rules }: { scale: number; rules: RuleGroups },
  faults: readonly Fault[],
  use: (place: Watched) => Promise<T>,
): Promise<T> {
  const drill = await startDrill();
  const prometheus = await Prometheus.start({
    folder: join(stackDir(), 'prometheus'),
    rules,
    targets: drill.operationsPorts,
    namespace: NAMESPACE,
    readEveryS: readEveryS(scale),
  });
  try {
    await prometheus.hasRead();
    return await use({ drill, prometheus, faults });
  } finally {
    await prometheus.stop();
    await drill.stop();
  }
}

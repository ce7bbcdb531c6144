import { logger } from '../logs/logger';
import { observe } from '../telemetry/metrics';
import { ATTRIBUTES, METRICS } from '../telemetry/names';
import { disagreements, type OwnSettings, ownSettings, unreadVariables } from './drift';
import { type Environment, shapeOf } from './environment';
import type { z } from 'zod';

/** A process that runs for months does not remember every change of a setting. */
const TOLD_MAX = 1_000;

const NONE: OwnSettings = { changed: {}, given: {}, shared: {}, replicas: '' };
let own = NONE;

/** Empty in a process that is no service: a command, a test. */
export const settingsOfProcess = (): OwnSettings => own;

const numberOf = (fingerprint: string): number => Number.parseInt(fingerprint, 16);

/** Tells once, at the start, how the environment of this process differs from what is usual. Nothing of it keeps a service from starting. */
export function tellSettings(name: string, schema: z.ZodType, env: Environment = process.env): void {
  const log = logger(name);
  own = ownSettings(schema, env);
  const unread = unreadVariables(Object.keys(shapeOf(schema)), Object.keys(env));
  if (unread.length > 0) log.warn({ unread }, 'Variables are set that this service does not read');
  log.info({ changed: own.changed }, 'Settings that are not the default');
  observe(METRICS.settingFingerprint, { description: 'Fingerprint of a setting that is the same in all services' }, () =>
    Object.entries(own.shared).map(([setting, value]) => ({ value: numberOf(value), attributes: { [ATTRIBUTES.kind]: setting } })),
  );
  observe(METRICS.configurationFingerprint, { description: 'Fingerprint of the settings, the same in all replicas of a service' }, () => [
    { value: numberOf(own.replicas) },
  ]);
}

/** The shared settings of this process, for the services that it calls. Empty if it has none. */
export const sharedText = ({ shared }: OwnSettings = own): string =>
  Object.entries(shared)
    .map((pair) => pair.join('='))
    .join();

const readShared = (text: string): OwnSettings['shared'] =>
  Object.fromEntries(text.split(',').map((pair) => pair.split('=', 2) as [string, string]));

/** Compares the settings of those that call this process with its own, and tells each difference once. */
export class CallerSettings {
  private readonly log = logger('settings');
  private readonly told = new Set<string>();

  constructor(private readonly ours: () => OwnSettings = settingsOfProcess) {}

  hear(caller: string, text: string): void {
    const theirs = readShared(text);
    for (const setting of disagreements(this.ours().shared, theirs)) {
      const difference = `${caller} ${setting} ${theirs[setting]}`;
      if (this.told.has(difference) || this.told.size >= TOLD_MAX) continue;
      this.told.add(difference);
      this.log.warn({ caller, setting }, 'A setting differs from that of a service that calls');
    }
  }
}

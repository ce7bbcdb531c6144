import { parseArgs } from 'node:util';
import type { ClientSettings } from '../http.ts';

/** A mistake of whoever typed the command. */
export class UsageError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The key comes from the environment only: everybody on the machine reads the arguments of a program. */
export function settingsFrom(environment: Environment, baseUrl: string | undefined): ClientSettings {
  const [apiKey, address] = [environment['TIRE_API_KEY'], baseUrl ?? environment['TIRE_BASE_URL']];
  if (!apiKey) throw new UsageError('TIRE_API_KEY is not set: it is the API key, svc_test_… or svc_live_…');
  if (!address) throw new UsageError('TIRE_BASE_URL is not set: it is the address of the API, with /api/v1. --base-url names it too.');
  return { apiKey, baseUrl: address };
}

const OPTIONS = {
  'base-url': { type: 'string' },
  'callback-url': { type: 'string' },
  events: { type: 'string' },
  forward: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  inspection: { type: 'string' },
  json: { type: 'boolean' },
  locale: { type: 'string' },
  'no-wait': { type: 'boolean' },
  plate: { type: 'string' },
  sidewall: { type: 'boolean' },
  template: { type: 'string' },
  timeout: { type: 'string' },
  vehicle: { type: 'string' },
} as const;

export type Options = ReturnType<typeof parsed>['values'];

function parsed(args: readonly string[]) {
  // `--files` may stand before the files: a shell makes many arguments of *.jpg.
  const others = args.filter((arg) => arg !== '--files');
  return parseArgs({ args: others, options: OPTIONS, allowPositionals: true });
}

export function readArguments(args: readonly string[]): { words: string[]; options: Options } {
  try {
    const { values, positionals } = parsed(args);
    return { words: positionals, options: values };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

export function timeoutMs({ timeout = '300' }: Options): number {
  const seconds = Number(timeout);
  if (!(seconds > 0)) throw new UsageError('--timeout is a number of seconds.');
  return seconds * 1_000;
}

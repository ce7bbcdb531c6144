import type { Options } from './config.ts';
import type { TireInspection } from '../client.ts';

export interface Context {
  readonly client: TireInspection;
  readonly apiKey: string;
  readonly options: Options;
  readonly print: (text: string) => void;
  /** From its call on, a signal ends what lasts, and no longer the process. */
  readonly ending: () => AbortSignal;
}

/** Runs what lasts until the signal ends it, which is no fault. */
export async function untilEnded({ ending }: Context, work: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const signal = ending();
  try {
    await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return 0;
}

/** The time of day of this machine. */
export const clockTime = (at: Date): string => at.toTimeString().slice(0, 8);

/** One line for people, or one of JSON. */
export function tell({ print, options }: Context, name: string, text: string): void {
  print(options.json ? `${JSON.stringify({ [name]: text })}\n` : `${name.replaceAll('_', ' ')}: ${text}\n`);
}

/** About a fault that passes: it is tried again. */
export const interrupted =
  (context: Context) =>
  ({ message }: Error): void =>
    tell(context, 'interrupted', message);

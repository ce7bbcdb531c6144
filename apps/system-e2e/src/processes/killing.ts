import { eventually } from '@tire/test-harness';
import { stackUnderTest } from '../stack-under-test';

/** The stack does not restart a service that ends more than ten times in a minute. Another suite may have ended it once. */
const KILLS_PER_MINUTE_MAX = 8;

export const pause = (timeMs: number) => new Promise((resolve) => setTimeout(resolve, timeMs));
const kills: { service: string; pid: number; atMs: number }[] = [];

export function mayBeKilled(service: string): Promise<boolean> {
  const recent = () => kills.filter((kill) => kill.service === service && kill.atMs > Date.now() - 60_000).length;
  return eventually(() => recent() < KILLS_PER_MINUTE_MAX, { timeoutMs: 61_000 });
}

export function kill(service: string): void {
  const pid = stackUnderTest().pids[service]!;
  kills.push({ service, pid, atMs: Date.now() });
  process.kill(pid, 'SIGKILL');
}

/** Ignores a lost connection. Compared by name, because fetch throws errors of another realm. An undeclared response is rethrown. */
export function connectionLost(error: Error): undefined {
  if (error.name !== 'TypeError') throw error;
}

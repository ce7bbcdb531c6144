import { setTimeout as pause } from 'node:timers/promises';
import { chosenRows } from './rows';
import { worldOf, type WorldFacts } from './world';

// The child process of Attacker.
export type ToAttacker =
  | { readonly kind: 'prepare'; readonly row: number; readonly facts: WorldFacts; readonly isPatient: boolean }
  | { readonly kind: 'attack' };
export type FromAttacker = { readonly kind: 'done'; readonly result: unknown } | { readonly kind: 'failed'; readonly reason: string };

const REFUSED_FOR_NOW = [429, 503];
const PAUSE_MS = 500;

/** Repeats what is refused for now, as an attacker does: otherwise the attacks that come first keep the others off. */
function repeatRefused(): void {
  const once = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    for (;;) {
      const answer = await once(...request);
      if (!REFUSED_FOR_NOW.includes(answer.status)) return answer;
      await answer.body?.cancel();
      await pause(PAUSE_MS);
    }
  };
}

let attack: () => Promise<unknown> = () => Promise.reject(new Error('nothing is prepared'));

async function obey(message: ToAttacker): Promise<unknown> {
  if (message.kind === 'attack') return attack();
  if (message.isPatient) repeatRefused();
  const [row] = await chosenRows([message.row]);
  attack = await row!.prepare!(worldOf(message.facts));
  return undefined;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
// A result that no other process can receive, for example a response, is left out.
const sendable = (result: unknown): unknown => (Array.isArray(result) && typeof result[0] === 'string' ? result : undefined);
const send = (message: FromAttacker) => process.send?.(message);

process.on('message', (message: ToAttacker) => {
  obey(message).then(
    (result) => send({ kind: 'done', result: sendable(result) }),
    (error: unknown) => send({ kind: 'failed', reason: reasonOf(error) }),
  );
});
process.on('disconnect', () => process.exit());

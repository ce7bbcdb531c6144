import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { NeighbourRow, NeighbourWorld } from './neighbour';
import type { ToAttacker, FromAttacker } from './attacker-process';

const LEAST_PRIORITY = 19;

/**
 * An attacker works on a machine of its own: here it must not take the processor from the services. Linux may divide the processor by
 * session first, and then the priority of a process counts within its session only.
 */
async function yieldToServices(pid: number): Promise<void> {
  setPriority(pid, LEAST_PRIORITY);
  await writeFile(`/proc/${pid}/autogroup`, String(LEAST_PRIORITY)).catch(() => undefined);
}

interface AttackerOptions {
  /** Repeats a request that is refused for now until it is accepted. */
  readonly isPatient?: boolean;
}

/**
 * A row's attack in a process of its own. In the measuring process the attack would delay the requests of the victim, and the delay
 * would be attributed to the services.
 */
export class Attacker {
  private constructor(
    readonly row: NeighbourRow,
    private readonly child: ChildProcess,
  ) {}

  /** Resolves when the attack is prepared. */
  static async start(row: NeighbourRow, world: NeighbourWorld, { isPatient = false }: AttackerOptions = {}): Promise<Attacker> {
    const { stack, victim, attacker, samples } = world;
    const child = fork(require.resolve('./attacker-process'), { serialization: 'advanced', detached: true });
    await yieldToServices(child.pid!);
    const started = new Attacker(row, child);
    await started.request({ kind: 'prepare', row: row.number, facts: { stack, victim, attacker, samples }, isPatient });
    return started;
  }

  /** One round, until its end. Rejects where a round was cut short, which a refusal may do. */
  async round(): Promise<unknown> {
    return this.request({ kind: 'attack' });
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }

  private async request(message: ToAttacker): Promise<unknown> {
    const ended = new AbortController();
    const answered = once(this.child, 'message', { signal: ended.signal }) as Promise<[FromAttacker]>;
    const gone = once(this.child, 'exit', { signal: ended.signal }).then(() => Promise.reject(new Error('the attacker has ended')));
    gone.catch(() => undefined);
    this.child.send(message);
    try {
      const [answer] = await Promise.race([answered, gone]);
      if (answer.kind === 'failed') throw new Error(answer.reason);
      return answer.result;
    } finally {
      ended.abort();
    }
  }
}

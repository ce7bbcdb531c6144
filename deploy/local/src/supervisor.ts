import type { ServerProcess } from '@tire/test-harness';

const RESTARTS_MAX = 10;

export interface Pace {
  readonly restartDelayMs: number;
  /** A process that ends more than ten times in this time is not started again. */
  readonly windowMs: number;
}

/**
 * Keeps named processes running as an orchestrator does. It reports a crash and restarts the process, until the process crashes too often.
 */
export class Supervisor {
  private readonly running = new Map<string, ServerProcess>();
  private stopping = false;

  constructor(
    private readonly onChange: () => void,
    private readonly onGivingUp: (name: string) => void,
    private readonly pace: Pace = { restartDelayMs: 500, windowMs: 60_000 },
  ) {}

  get pids(): Record<string, number> {
    return Object.fromEntries([...this.running].map(([name, { pid }]) => [name, pid]));
  }

  async start(name: string, launch: () => Promise<ServerProcess>): Promise<void> {
    const process = await launch();
    this.running.set(name, process);
    this.onChange();
    void this.watch(name, launch, process);
  }

  /** Stops the services first and then the infrastructure that they use. */
  async stopAll(): Promise<void> {
    this.stopping = true;
    const infrastructure = new Set(['postgres', 'nats']);
    const services = [...this.running].filter(([name]) => !infrastructure.has(name));
    await Promise.all(services.map(([, process]) => process.stop()));
    for (const [name, process] of this.running) if (infrastructure.has(name)) await process.stop();
  }

  /** Ends everything at once, as the loss of the machine does. */
  async killAll(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.running.values()].map((process) => process.stop('SIGKILL')));
  }

  private async watch(name: string, launch: () => Promise<ServerProcess>, first: ServerProcess): Promise<void> {
    let process: ServerProcess | undefined = first;
    let crashTimesMs: number[] = [];
    for (;;) {
      if (process) {
        const { code, signal } = await process.exited;
        crashTimesMs = crashTimesMs.filter((timeMs) => timeMs > Date.now() - this.pace.windowMs);
        if (!this.stopping) console.error(`! ${name} (pid ${process.pid}) ended with ${signal ?? `code ${code}`}`);
      }
      if (this.stopping) return;
      // Starts that fail one after another count however long they take: each may wait a minute for its end.
      crashTimesMs.push(Date.now());
      if (crashTimesMs.length > RESTARTS_MAX) return this.onGivingUp(name);
      await new Promise((resolve) => setTimeout(resolve, this.pace.restartDelayMs));
      if (this.stopping) return;
      process = await this.startedAgain(name, launch);
    }
  }

  /** Undefined after a failure, which counts as a crash: Postgres does not start while a process of its killed predecessor is alive. */
  private async startedAgain(name: string, launch: () => Promise<ServerProcess>): Promise<ServerProcess | undefined> {
    try {
      const process = await launch();
      this.running.set(name, process);
      this.onChange();
      console.error(`! ${name} started again (pid ${process.pid})`);
      return process;
    } catch (error) {
      console.error(`! ${name} did not start again: ${String(error)}`);
      return undefined;
    }
  }
}

import type { ServerProcess } from '@tire/test-harness';

const RESTARTS_PER_MINUTE_MAX = 10;
const RESTART_DELAY_MS = 500;

/**
 * Keeps named processes running as an orchestrator does. It reports a crash and restarts the process, until the process crashes too often.
 */
export class Supervisor {
  private readonly running = new Map<string, ServerProcess>();
  private stopping = false;

  constructor(
    private readonly onChange: () => void,
    private readonly onGivingUp: (name: string) => void,
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

  private async watch(name: string, launch: () => Promise<ServerProcess>, first: ServerProcess): Promise<void> {
    let process = first;
    let crashTimesMs: number[] = [];
    for (;;) {
      const { code, signal } = await process.exited;
      if (this.stopping) return;
      crashTimesMs = [...crashTimesMs.filter((timeMs) => timeMs > Date.now() - 60_000), Date.now()];
      console.error(`! ${name} (pid ${process.pid}) ended with ${signal ?? `code ${code}`}`);
      if (crashTimesMs.length > RESTARTS_PER_MINUTE_MAX) return this.onGivingUp(name);
      await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS));
      if (this.stopping) return;
      process = await launch();
      this.running.set(name, process);
      this.onChange();
      console.error(`! ${name} started again (pid ${process.pid})`);
    }
  }
}

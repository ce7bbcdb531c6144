import { Injectable } from '@nestjs/common';

export type HealthCheck = () => Promise<void>;

/** With the second between two polls of GrpcHealth, a part that does not answer makes the service unready within 3 s. */
const CHECK_MS_MAX = 2_000;

/** A check that also rejects if there is no answer in time, such as from a server whose packets are dropped. */
const bounded =
  (check: HealthCheck): HealthCheck =>
  async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS_MAX} ms`)), CHECK_MS_MAX);
    });
    await Promise.race([check(), late]).finally(() => clearTimeout(timer));
  };

/** The parts of readiness. The check of a part resolves if it is ready, and rejects with a public reason if it is not. */
@Injectable()
export class HealthRegistry {
  private readonly checks = new Map<string, HealthCheck>();
  private readonly informational = new Map<string, HealthCheck>();
  private readonly alive = new Map<string, HealthCheck>();
  private draining = false;

  register(name: string, check: HealthCheck): void {
    this.checks.set(name, bounded(check));
  }

  /** Adds a part that is reported but does not decide readiness: without it the service does less, but works. */
  inform(name: string, check: HealthCheck): void {
    this.informational.set(name, bounded(check));
  }

  /** Adds a part of liveness. Its check rejects only where nothing but a new process helps. */
  registerAlive(name: string, check: HealthCheck): void {
    this.alive.set(name, check);
  }

  /** Rejects with the reason of the first part that only a new process can repair. */
  async assertAlive(): Promise<void> {
    await Promise.all([...this.alive.values()].map((check) => check()));
  }

  /** Not ready from now on, whatever the state of the parts. */
  drain(): void {
    this.draining = true;
  }

  parts(): [name: string, check: HealthCheck][] {
    const parts = [...this.checks];
    return this.draining ? [['process', () => Promise.reject(new Error('draining'))], ...parts] : parts;
  }

  information(): [name: string, check: HealthCheck][] {
    return [...this.informational];
  }

  /** The check of a part, whether it decides readiness or not. */
  checkOf(name: string): HealthCheck | undefined {
    return this.checks.get(name) ?? this.informational.get(name);
  }

  async isReady(): Promise<boolean> {
    const outcomes = await Promise.allSettled(this.parts().map(([, check]) => check()));
    return outcomes.every(({ status }) => status === 'fulfilled');
  }
}

import { Injectable } from '@nestjs/common';

export type HealthCheck = () => Promise<void>;

/** The parts of readiness. The check of a part resolves if it is ready, and rejects with a public reason if it is not. */
@Injectable()
export class HealthRegistry {
  private readonly checks = new Map<string, HealthCheck>();
  private readonly informational = new Map<string, HealthCheck>();
  private draining = false;

  register(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** Adds a part that is reported but does not decide readiness: without it the service does less, but works. */
  inform(name: string, check: HealthCheck): void {
    this.informational.set(name, check);
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

  async isReady(): Promise<boolean> {
    const outcomes = await Promise.allSettled(this.parts().map(([, check]) => check()));
    return outcomes.every(({ status }) => status === 'fulfilled');
  }
}

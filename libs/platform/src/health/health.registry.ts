import { Injectable } from '@nestjs/common';

export type HealthCheck = () => Promise<void>;

/** The parts of readiness. A check resolves when its part is ready and rejects with a reason that may be shown. */
@Injectable()
export class HealthRegistry {
  private readonly checks = new Map<string, HealthCheck>();
  private readonly told = new Map<string, HealthCheck>();
  private draining = false;

  register(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** A part whose state is told with the others and decides nothing: without it the service does less, but serves. */
  inform(name: string, check: HealthCheck): void {
    this.told.set(name, check);
  }

  /** From now on not ready, whatever the parts say. */
  drain(): void {
    this.draining = true;
  }

  parts(): [name: string, check: HealthCheck][] {
    const parts = [...this.checks];
    return this.draining ? [['process', () => Promise.reject(new Error('draining'))], ...parts] : parts;
  }

  information(): [name: string, check: HealthCheck][] {
    return [...this.told];
  }

  async isReady(): Promise<boolean> {
    const outcomes = await Promise.allSettled(this.parts().map(([, check]) => check()));
    return outcomes.every(({ status }) => status === 'fulfilled');
  }
}

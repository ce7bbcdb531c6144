import { CLIENT_CLOSED } from '../http/status';
import { LOG_FIELDS } from '../telemetry/names';
import type { Logger } from './logger';

export interface EndedRequest {
  readonly method: string;
  /** The pattern, not the address: the address of a share page contains its token. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

/** Lines a second of a process. Those of failures have a number of their own: a flood of good requests hides no failure. */
const LINES_PER_SECOND = 100;

/** One line for each request. Under a flood some are left out, and the next line tells how many. */
export class RequestLines {
  private second = 0;
  private written = { good: 0, failed: 0 };
  private leftOut = 0;

  constructor(
    private readonly log: Logger,
    private readonly nowMs: () => number = Date.now,
  ) {}

  write({ method, route, status, durationMs }: EndedRequest): void {
    const level = status === CLIENT_CLOSED ? 'debug' : 'info';
    if (!this.log.isLevelEnabled(level)) return;
    if (!this.hasRoom(status >= 500 ? 'failed' : 'good')) {
      this.leftOut += 1;
      return;
    }
    const leftOut = this.leftOut;
    this.leftOut = 0;
    this.log[level](
      { method, route, status, [LOG_FIELDS.durationMs]: Math.round(durationMs), ...(leftOut > 0 ? { left_out: leftOut } : {}) },
      'Request',
    );
  }

  private hasRoom(kind: 'good' | 'failed'): boolean {
    const second = Math.floor(this.nowMs() / 1_000);
    if (second !== this.second) [this.second, this.written] = [second, { good: 0, failed: 0 }];
    this.written[kind] += 1;
    return this.written[kind] <= LINES_PER_SECOND;
  }
}

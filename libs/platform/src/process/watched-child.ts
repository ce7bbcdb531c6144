import { fork, type ChildProcess } from 'node:child_process';
import { basename, join } from 'node:path';
import { counter } from '../telemetry/metrics';
import { ATTRIBUTES, METRICS } from '../telemetry/names';
import { cpuMsOf, residentMibOf } from './usage';

/** Bounds of one piece of work. CPU time does not grow while the child waits for a busy core. */
export interface WorkLimits {
  readonly cpuMs: number;
  /** The limit for a child that waits without an end. It is far above the CPU time, because waiting for a core is no fault. */
  readonly wallMs: number;
  readonly residentMib?: number;
}

/**
 * broken: the work exceeded a limit, or crashed the process. killed: others ended it, an operator or a kernel that was short of memory, so
 * the work may be why. ended: anything else, for example a process that could not start or that is not needed any more.
 */
export type ChildEnd = 'broken' | 'killed' | 'ended';

export interface WatchedChildOptions<FromChild> {
  readonly args?: readonly string[];
  /** Default: that of this process. */
  readonly env?: Record<string, string>;
  onMessage(message: FromChild): void;
  /** Once, also if the child could not start. */
  onEnd(reason: string, end: ChildEnd): void;
}

const losses = counter(METRICS.processesLost, 'Processes that their work broke, or that others killed, by kind');

/** `decode` of decode-process.js. */
const kindOf = (entry: string): string => basename(entry).replace(/(-process)?\.[jt]s$/, '');

/** A counter that begins with the first loss would hide it: an increase needs a value before. */
export function countLossesOf(entry: string): void {
  for (const end of ['broken', 'killed']) losses.add(0, { [ATTRIBUTES.kind]: kindOf(entry), [ATTRIBUTES.reason]: end });
}

const LOOK_EVERY_MS = 100;
/** The most that one look adds to the wall time. While this process is stopped itself, it cannot receive the child's answer. */
const LOOK_MOST_MS = 1_000;
const CRASHES: readonly (NodeJS.Signals | null)[] = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP'];

function endBy(signal: NodeJS.Signals | null): ChildEnd {
  if (CRASHES.includes(signal)) return 'broken';
  return signal === 'SIGKILL' ? 'killed' : 'ended';
}

/**
 * A process for work that may never end, take too much memory or crash. It is killed where its work exceeds a limit, and it ends with this
 * process. Messages are structured clones.
 */
export class WatchedChild<ToChild, FromChild> {
  private readonly child: ChildProcess;
  private look: NodeJS.Timeout | undefined;
  private reason: string | undefined;
  private isBeyondLimit = false;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;

  /** `entry` is the file of the child, found with require.resolve, so that the build of the production folder finds it too. */
  constructor(entry: string, options: WatchedChildOptions<FromChild>) {
    const { args = [], env } = options;
    // In the source tree (tests, tools) the child compiles TypeScript while loading; built code needs no hook.
    const program = entry.endsWith('.ts') ? [join(__dirname, '../../../../deploy/typescript-hook.cjs'), entry] : [entry];
    this.child = fork(program[0]!, [...program.slice(1), ...args], {
      serialization: 'advanced',
      execArgv: [],
      ...(env ? { env } : {}),
    });
    this.child.on('message', (message) => options.onMessage(message as FromChild));
    this.ended = new Promise((resolve) => {
      let isKnown = false;
      const endedBy = (why: string, how: ChildEnd) => {
        if (isKnown) return;
        isKnown = true;
        this.rest();
        const [reason, end]: [string, ChildEnd] =
          this.reason === undefined ? [why, how] : [this.reason, this.isBeyondLimit ? 'broken' : 'ended'];
        if (end !== 'ended') losses.add(1, { [ATTRIBUTES.kind]: kindOf(entry), [ATTRIBUTES.reason]: end });
        options.onEnd(reason, end);
        resolve();
      };
      this.child.on('error', (error) => {
        if (this.child.pid === undefined) endedBy(error.message, 'ended');
      });
      this.child.on('exit', (code, signal) => endedBy(`ended with ${signal ?? `code ${code}`}`, endBy(signal)));
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get residentMib(): number {
    return (this.pid && residentMibOf(this.pid)) || 0;
  }

  send(message: ToChild): void {
    // A child that has just ended cannot receive; its end is reported anyway.
    if (this.child.connected) this.child.send(message as object, () => undefined);
  }

  /** Watches a piece of work from now on, in place of the one before. A child without work does not keep this process running. */
  watch({ cpuMs, wallMs, residentMib = Infinity }: WorkLimits): void {
    this.rest();
    this.child.ref();
    this.child.channel?.ref();
    let lookedMs = performance.now();
    let passedMs = 0;
    const cpuBeforeMs = this.cpuMs() ?? 0;
    this.look = setInterval(() => {
      const nowMs = performance.now();
      passedMs += Math.min(nowMs - lookedMs, LOOK_MOST_MS);
      lookedMs = nowMs;
      if (residentMib < Infinity && this.residentMib > residentMib) this.killBeyondLimit(`more than ${residentMib} MiB of memory`);
      else if ((this.cpuMs() ?? 0) - cpuBeforeMs > cpuMs) this.killBeyondLimit(`more than ${cpuMs} ms of CPU time`);
      else if (passedMs > wallMs) this.killBeyondLimit(`no end within ${wallMs} ms`);
    }, LOOK_EVERY_MS);
  }

  /** Nothing is in work. */
  rest(): void {
    clearInterval(this.look);
    this.look = undefined;
    this.child.unref();
    this.child.channel?.unref();
  }

  cpuMs(): number | undefined {
    return this.pid === undefined ? undefined : cpuMsOf(this.pid);
  }

  /** It may still send what it sent before, until it has ended. */
  get isKilled(): boolean {
    return this.reason !== undefined;
  }

  kill(reason: string): void {
    this.reason ??= reason;
    this.rest();
    this.child.kill('SIGKILL');
  }

  private killBeyondLimit(reason: string): void {
    this.isBeyondLimit ||= !this.isKilled;
    this.kill(reason);
  }
}

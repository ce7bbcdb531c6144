import { Injectable } from '@nestjs/common';
import { assertNever, DomainError } from '@tire/kernel';
import { fork, type ChildProcess } from 'node:child_process';
import { extname, join } from 'node:path';
import type { Derivatives, Job, Outcome } from './protocol';

/** The process counts its own processor time; this is for one that hangs. */
const TIME_LIMIT_MS = 120_000;
/** Without work it ends, so that its memory returns. */
const IDLE_MS = 30_000;

// In the source tree (tests) the process compiles TypeScript at load time. Built code needs nothing.
const isSource = extname(__filename) === '.ts';
const entry = isSource ? join(__dirname, '../../../../deploy/typescript-hook.cjs') : join(__dirname, 'child.js');
const entryArguments = isSource ? [join(__dirname, 'child.ts')] : [];

/** The image cannot be shown, however often it is tried. */
export class Refused extends Error {}

/** The process died of this image, did not end, or failed to decode it: perhaps the image did that. */
export class Lost extends Error {}

/**
 * Decodes images in a process of its own, which can be killed: decoders are the part of the service that an image can attack. It has no
 * secret in its environment. One image at a time. It starts with the first one.
 */
@Injectable()
export class DisplayProcess {
  private isStopped = false;
  private child: ChildProcess | undefined;
  private idle: NodeJS.Timeout | undefined;

  async make(job: Job): Promise<Derivatives> {
    if (this.isStopped) throw stopped();
    clearTimeout(this.idle);
    const child = (this.child ??= this.start());
    try {
      return derivativesIn(await outcomeOf(child, job));
    } catch (error) {
      throw this.isStopped ? stopped() : error;
    } finally {
      this.idle = setTimeout(() => this.kill(), IDLE_MS).unref();
    }
  }

  /** The service ends, which says nothing about the image. */
  stop(): void {
    this.isStopped = true;
    this.kill();
  }

  kill(): void {
    clearTimeout(this.idle);
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }

  private start(): ChildProcess {
    const child = fork(entry, entryArguments, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--max-old-space-size=64'],
      // Two arenas: glibc would keep freed memory in one for each thread.
      env: { MALLOC_ARENA_MAX: '2' },
    });
    const gone = () => {
      if (this.child === child) this.child = undefined;
    };
    child.once('exit', gone).once('error', gone);
    return child;
  }
}

const stopped = (): DomainError => new DomainError('service_unavailable', { message: 'The service stops' });

function derivativesIn(outcome: Outcome): Derivatives {
  switch (outcome.kind) {
    case 'made':
      return outcome.derivatives;
    case 'refused':
      throw new Refused(outcome.reason);
    case 'failed':
      throw new Lost(`Decoding failed: ${outcome.reason}`);
    default:
      return assertNever(outcome);
  }
}

function outcomeOf(child: ChildProcess, job: Job): Promise<Outcome> {
  const listening: [string, (value: unknown, signal?: unknown) => void][] = [];
  const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS);
  return new Promise<Outcome>((resolve, reject) => {
    const lost = (why: unknown) => reject(new Lost(`The process that decodes ended: ${String(why)}`));
    listening.push(
      ['message', (outcome) => resolve(outcome as Outcome)],
      ['exit', (code, signal) => lost(signal ?? code)],
      ['error', lost],
    );
    for (const [event, listener] of listening) child.once(event, listener);
    child.send(job, (error) => error && lost(error));
  }).finally(() => {
    clearTimeout(timer);
    for (const [event, listener] of listening) child.off(event, listener);
  });
}

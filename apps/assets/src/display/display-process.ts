import { Injectable, type OnModuleDestroy } from '@nestjs/common';
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

/** The process died of this image, or did not end. */
export class Lost extends Error {}

/**
 * Decodes images in a process of its own, which can be killed: decoders are the part of the service that an image can attack. It has no
 * secret in its environment. One image at a time. It starts with the first one.
 */
@Injectable()
export class DisplayProcess implements OnModuleDestroy {
  private child: ChildProcess | undefined;
  private idle: NodeJS.Timeout | undefined;

  async make(job: Job): Promise<Derivatives> {
    clearTimeout(this.idle);
    const child = (this.child ??= this.start());
    try {
      const outcome = await outcomeOf(child, job);
      if (outcome.kind === 'refused') throw new Refused(outcome.reason);
      return outcome.derivatives;
    } finally {
      this.idle = setTimeout(() => this.kill(), IDLE_MS).unref();
    }
  }

  onModuleDestroy(): void {
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
      env: { NODE_ENV: process.env['NODE_ENV'], MALLOC_ARENA_MAX: '2' },
    });
    const gone = () => {
      if (this.child === child) this.child = undefined;
    };
    child.once('exit', gone).once('error', gone);
    return child;
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

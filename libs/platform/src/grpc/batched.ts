import { DomainError } from '@tire/kernel';
import { AsyncResource } from 'node:async_hooks';
import type { CallOptions } from './client';

export interface BatchOptions {
  /** Calls under way at once. Questions that come meanwhile gather: the busier the callee, the more a call carries. */
  readonly callsMax?: number;
  readonly questionsPerCallMax?: number;
  /** Questions that no call has taken yet. One more is refused at once: load is to be seen, not to be stored. */
  readonly waitingMax?: number;
  /** Of each question, from when it was asked. */
  readonly deadlineMs?: number;
}

type AskAll<Q, A> = (questions: Q[], options: Required<CallOptions>) => Promise<readonly A[]>;

interface Question<Q, A> {
  readonly asked: Q;
  readonly answer: (answer: A) => void;
  readonly refuse: (error: unknown) => void;
  readonly expiry: NodeJS.Timeout;
  expired: boolean;
}

interface Batch<Q, A> {
  readonly questions: Question<Q, A>[];
  readonly leave: () => void;
}

const DEFAULTS: Required<BatchOptions> = {
  callsMax: 1,
  // A report is tens of kilobytes at most, and a message eight megabytes.
  questionsPerCallMax: 64,
  waitingMax: 1_000,
  deadlineMs: 5_000,
};

/**
 * Lets questions that are asked one by one leave together, by a call that answers many in their order: a hop over gRPC costs more
 * CPU than all else of a read. Nothing waits for a batch to fill: a question leaves with those of the same turn of the event loop,
 * or as soon as the call before it returns. What fails the call fails each of its questions.
 */
export function batched<Q, A>(askAll: AskAll<Q, A>, options: BatchOptions = {}): (asked: Q) => Promise<A> {
  const batches = new Batches(askAll, { ...DEFAULTS, ...options });
  return (asked) => batches.ask(asked);
}

class Batches<Q, A> {
  /** In the order in which they leave; questions gather in the last one. */
  private readonly gathering: Batch<Q, A>[] = [];
  private waiting = 0;
  private calls = 0;

  constructor(
    private readonly askAll: AskAll<Q, A>,
    private readonly options: Required<BatchOptions>,
  ) {}

  ask(asked: Q): Promise<A> {
    if (this.waiting >= this.options.waitingMax) return Promise.reject(unavailable('Too many questions wait already'));
    return new Promise((answer, refuse) => {
      const expiry = setTimeout(() => {
        question.expired = true;
        refuse(unavailable('Not answered in time'));
      }, this.options.deadlineMs);
      const question: Question<Q, A> = { asked, answer, refuse, expiry, expired: false };
      this.waiting += 1;
      this.batchWithRoom().questions.push(question);
    });
  }

  private batchWithRoom(): Batch<Q, A> {
    const last = this.gathering.at(-1);
    if (last && last.questions.length < this.options.questionsPerCallMax) return last;
    // In its context, so that the callee's part of the work is found in the trace of a request that it was for: the one that opened the batch.
    const opener = new AsyncResource('BATCH');
    const batch: Batch<Q, A> = { questions: [], leave: () => opener.runInAsyncScope(() => void this.call(batch.questions)) };
    this.gathering.push(batch);
    setImmediate(() => this.leave());
    return batch;
  }

  private leave(): void {
    while (this.calls < this.options.callsMax) {
      const batch = this.gathering.shift();
      if (!batch) return;
      this.waiting -= batch.questions.length;
      batch.leave();
    }
  }

  private async call(questions: readonly Question<Q, A>[]): Promise<void> {
    const open = questions.filter(({ expired }) => !expired);
    if (open.length === 0) return;
    this.calls += 1;
    try {
      const answers = await this.askAll(
        open.map(({ asked }) => asked),
        { deadlineMs: this.options.deadlineMs },
      );
      if (answers.length !== open.length) throw new Error(`${open.length} questions got ${answers.length} answers`);
      open.forEach(({ answer }, index) => answer(answers[index]!));
    } catch (error) {
      for (const { refuse } of open) refuse(error);
    } finally {
      for (const { expiry } of open) clearTimeout(expiry);
      this.calls -= 1;
      this.leave();
    }
  }
}

const unavailable = (cause: string): DomainError => new DomainError('service_unavailable', { cause: new Error(cause) });

import { assertNever } from '@tire/kernel/clock';
import type { SlotId } from '@tire/kernel/slots';
import { backoffMs } from './backoff';
import { after, answerToSlot, inTurn, isUnsent, nextStep, troubles, type Answer, type Photo, type Refusal, type Target } from './photo';
import type { Bytes, PhotoStore } from './store';

/** What a request came to, as far as the queue is concerned. */
export type Outcome<T> =
  | { readonly type: 'done'; readonly value: T }
  /** No answer, a failure of the server, or too many requests. */
  | { readonly type: 'later'; readonly askedMs: number }
  | { readonly type: 'taken' }
  /** The store refuses the address, or a registration the upload. */
  | { readonly type: 'unfit' }
  | { readonly type: 'over'; readonly why: Refusal };

export interface Wire {
  issueTarget(photo: Photo): Promise<Outcome<Target>>;
  put(target: Target, bytes: Bytes, onProgress: (share: number) => void): Promise<Outcome<void>>;
  /** taken: the slot holds another asset than `over`. */
  register(photo: Photo, target: Target, over: string | null): Promise<Outcome<void>>;
  /** The asset that the slot holds now. */
  heldBy(slotId: SlotId): Promise<Outcome<string | null>>;
}

interface Settings {
  readonly reportId: string;
  readonly store: PhotoStore;
  readonly wire: Wire;
  /** False while another page may be sending the photograph. */
  readonly maySend: (photo: Photo) => boolean;
  readonly onChange: (photo: Photo) => void;
  readonly onProgress: (photo: Photo, share: number) => void;
  /** Never goes back, unlike the phone's clock. */
  readonly nowMs: () => number;
  readonly random: () => number;
  /** Returns what cancels it. */
  readonly schedule: (run: () => void, ms: number) => () => void;
}

type Taken = { readonly answer: Answer; readonly askedMs?: number };

/** Two uploads at once: the second one uses the round trips of the first one. More would share a slow line without any gain. */
const AT_ONCE = 2;

/** Sends what waits in the store, step by step. It holds no state that must survive it. */
export class Sender {
  private readonly busy = new Set<SlotId>();
  private failuresInARow = 0;
  private dueMs = 0;
  private looksAgain = false;
  private isLooking = false;
  private isStopped = false;
  private cancelTimer = (): void => {};

  constructor(private readonly settings: Settings) {}

  /** There is something new, or the network may be back: no more waiting. */
  kick = (): void => {
    this.dueMs = 0;
    void this.look();
  };

  stop = (): void => {
    this.isStopped = true;
    this.cancelTimer();
  };

  /** Starts what is due. One look at a time; a look that is asked for meanwhile follows it. */
  private async look(): Promise<void> {
    if (this.isLooking) {
      this.looksAgain = true;
      return;
    }
    this.isLooking = true;
    try {
      do {
        this.looksAgain = false;
        await this.startDue();
      } while (this.looksAgain && !this.isStopped);
    } finally {
      this.isLooking = false;
    }
  }

  private async startDue(): Promise<void> {
    const { store, reportId, maySend, nowMs } = this.settings;
    this.cancelTimer();
    if (this.isStopped) return;
    const waitMs = this.dueMs - nowMs();
    if (waitMs > 0) {
      this.cancelTimer = this.settings.schedule(() => void this.look(), waitMs);
      return;
    }
    const photos = await store.list(reportId).catch(() => this.wait(0, 0));
    for (const photo of inTurn(photos ?? [])) {
      if (this.busy.size >= AT_ONCE) return;
      if (this.busy.has(photo.slotId) || !maySend(photo)) continue;
      this.busy.add(photo.slotId);
      void this.send(photo).finally(() => {
        this.busy.delete(photo.slotId);
        void this.look();
      });
    }
  }

  /** Until nothing is left to do, or patience is asked for. The store may fail like the network: what was not stored is done again. */
  private async send(first: Photo): Promise<void> {
    let photo = first;
    try {
      while (isUnsent(photo) && !this.isStopped && this.settings.maySend(photo)) {
        const { answer, askedMs = 0 } = await this.take(photo);
        photo = after(photo, answer);
        if (!(await this.settings.store.update(photo))) return;
        this.settings.onChange(photo);
        // A first refused address is one that has become too old. A second one in a row is a fault that a new address does not end.
        if (answer.type === 'postponed' || photo.refusedAddresses > 1) return this.wait(troubles(photo), askedMs);
        this.failuresInARow = 0;
      }
    } catch {
      this.wait(0, 0);
    }
  }

  private wait(ofPhoto: number, askedMs: number): undefined {
    this.failuresInARow++;
    const waitMs = backoffMs(Math.max(this.failuresInARow, ofPhoto), this.settings.random(), askedMs);
    this.dueMs = this.settings.nowMs() + waitMs;
    this.looksAgain = true;
  }

  private async judged(photo: Photo): Promise<Taken> {
    return answerTo(await this.settings.wire.heldBy(photo.slotId), 'contested', (held) => answerToSlot(photo, held));
  }

  /** A slot that still holds `over`, although the registration over it was refused, changes in this moment: asked again at once, it would give a loop. */
  private async judgedAgain(photo: Photo, over: string | null): Promise<Taken> {
    const judged = await this.judged(photo);
    return judged.answer.type === 'registering' && judged.answer.over === over ? { answer: { type: 'postponed' } } : judged;
  }

  private async take(photo: Photo): Promise<Taken> {
    const { wire, store } = this.settings;
    const target = 'target' in photo.stage ? photo.stage.target : null;
    const step = nextStep(photo);
    switch (step) {
      case 'address':
        return answerTo(await wire.issueTarget(photo), 'uploadRefused', (issued) => ({ type: 'addressed', target: issued }));
      case 'upload': {
        const bytes = await store.bytesOf(photo.id);
        if (!bytes) return { answer: { type: 'refused', why: 'lost' } };
        const put = await wire.put(target!, bytes, (share) => this.settings.onProgress(photo, share));
        return answerTo(put, 'addressRefused', () => ({ type: 'uploaded' }));
      }
      case 'announce':
        return this.judged(photo);
      case 'register': {
        const over = photo.stage.at === 'registering' ? photo.stage.over : null;
        const registered = await wire.register(photo, target!, over);
        // Another phone, or an earlier registration of this one, was faster.
        if (registered.type === 'taken') return this.judgedAgain(photo, over);
        return answerTo(registered, 'uploadRefused', () => ({ type: 'registered' }));
      }
      case 'none':
        return { answer: { type: 'postponed' } };
      default:
        return assertNever(step);
    }
  }
}

type Unfit = 'uploadRefused' | 'addressRefused' | 'contested';

function answerTo<T>(outcome: Outcome<T>, unfit: Unfit, done: (value: T) => Answer): Taken {
  switch (outcome.type) {
    case 'done':
      return { answer: done(outcome.value) };
    case 'later':
      return { answer: { type: 'postponed' }, askedMs: outcome.askedMs };
    case 'taken':
      return { answer: { type: 'contested' } };
    case 'unfit':
      return { answer: { type: unfit } };
    case 'over':
      return { answer: { type: 'refused', why: outcome.why } };
    default:
      return assertNever(outcome);
  }
}

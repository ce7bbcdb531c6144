import type { CaptureSession } from '@tire/contracts/capture';
import { ApiError } from '../api/api-error';
import type { CaptureApi } from '../api/client';
import { pollAfterMs } from '../api/polling';
import { backoffMs } from '../uploads/backoff';

interface Settings {
  readonly api: CaptureApi;
  /** With the number of the read: an answer to a read that began before an event does not know of it. */
  readonly onSession: (session: CaptureSession, read: number) => void;
  readonly onFailure: (error: ApiError) => void;
  /** Whether a result is expected. */
  readonly isPending: () => boolean;
}

/** Reads the session again and again: soon while something is measured, else now and then, and when the page is looked at. */
export class SessionFeed {
  /** Reads that began. */
  begun = 0;
  private running: Promise<CaptureSession> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private looksInARow = 0;
  private failuresInARow = 0;
  private askedMs = 0;

  constructor(private readonly settings: Settings) {}

  /** Something changed, so that results are expected. */
  expect = (): void => {
    this.looksInARow = 0;
    this.schedule();
  };

  look = (): void => void this.read().catch(() => undefined);

  /** One read at a time; whoever asks meanwhile gets its answer. */
  read(): Promise<CaptureSession> {
    this.running ??= this.readOnce().finally(() => {
      this.running = null;
      this.schedule();
    });
    return this.running;
  }

  private async readOnce(): Promise<CaptureSession> {
    const read = ++this.begun;
    try {
      const session = await this.settings.api.session();
      this.failuresInARow = 0;
      this.settings.onSession(session, read);
      return session;
    } catch (error) {
      this.failuresInARow++;
      this.askedMs = error instanceof ApiError ? error.retryAfterMs : 0;
      if (error instanceof ApiError) this.settings.onFailure(error);
      throw error;
    }
  }

  private schedule(): void {
    clearTimeout(this.timer);
    // The page reads again when it is looked at.
    if (document.visibilityState !== 'visible') return;
    const isPending = this.settings.isPending();
    this.looksInARow = isPending ? this.looksInARow + 1 : 0;
    const waitMs =
      this.failuresInARow > 0 ? backoffMs(this.failuresInARow, Math.random(), this.askedMs) : pollAfterMs(isPending, this.looksInARow);
    this.timer = setTimeout(this.look, waitMs);
  }
}

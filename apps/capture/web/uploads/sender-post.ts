interface Settings {
  readonly hasWork: () => boolean;
  /** Another tab changed something. */
  readonly onNews: () => void;
  readonly onHeld: (isHeld: boolean) => void;
}

/** A phone suspends tabs in the background together with their lock. After this long without a sign of life another tab takes it. */
const SILENCE_MS = 20_000;
const LOOK_MS = 5_000;
const ALIVE_EVERY_MS = 2_000;

/**
 * The post of the one tab that sends: a lock of the browser, which goes to the next tab when its holder is closed, dies or resigns. Without
 * locks, in a browser that is older than those supported, every tab sends; the server applies an asset once.
 */
export class SenderPost {
  isHeld = false;
  private heardMs = performance.now();
  private saidMs = 0;
  /** Aborted when this tab resigns; null: it does not want the post. */
  private application: AbortController | null = null;
  private readonly tabs: BroadcastChannel | null;

  constructor(
    private readonly name: string,
    private readonly settings: Settings,
  ) {
    this.tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name);
    this.tabs?.addEventListener('message', ({ data }) => {
      this.heardMs = performance.now();
      if (data === 'news') settings.onNews();
    });
  }

  news = (): void => this.tabs?.postMessage('news');

  alive = (): void => {
    if (performance.now() - this.saidMs < ALIVE_EVERY_MS) return;
    this.saidMs = performance.now();
    this.tabs?.postMessage('alive');
  };

  apply(): void {
    if (this.application) return;
    this.application = new AbortController();
    const ended = this.application.signal;
    if (!('locks' in navigator)) return this.take();
    const answered = (lock: Lock | null) => {
      if (lock) return this.hold(ended);
      this.settings.onHeld(false);
      this.wait(ended);
      return undefined;
    };
    navigator.locks.request(this.name, { ifAvailable: true }, answered).catch(() => this.leave(ended));
  }

  /** Leaves the post to another tab, because this one can send nothing more. It may apply again. */
  resign(): void {
    this.isHeld = false;
    this.application?.abort();
    this.application = null;
  }

  private wait(ended: AbortSignal): void {
    if (ended.aborted) return;
    const waiting = new AbortController();
    const watch = setInterval(() => {
      const isSilent = performance.now() - this.heardMs > SILENCE_MS;
      if (!isSilent || document.visibilityState !== 'visible' || !this.settings.hasWork()) return;
      waiting.abort();
      this.request(ended, { steal: true });
    }, LOOK_MS);
    const stop = () => waiting.abort();
    ended.addEventListener('abort', stop);
    waiting.signal.addEventListener('abort', () => clearInterval(watch));
    this.request(ended, { signal: waiting.signal }, () => {
      clearInterval(watch);
      ended.removeEventListener('abort', stop);
    });
  }

  private request(ended: AbortSignal, options: LockOptions, onGranted = () => {}): void {
    const granted = () => {
      onGranted();
      return this.hold(ended);
    };
    // Rejected: the wait was given up, or another tab took the post.
    navigator.locks.request(this.name, options, granted).catch(() => this.leave(ended));
  }

  private leave(ended: AbortSignal): void {
    if (ended.aborted || !this.isHeld) return;
    this.isHeld = false;
    this.heardMs = performance.now();
    this.settings.onHeld(false);
    this.wait(ended);
  }

  /** For as long as the page lives, or until it resigns. */
  private hold(ended: AbortSignal): Promise<void> {
    if (ended.aborted) return Promise.resolve();
    this.take();
    return new Promise((resolve) => ended.addEventListener('abort', () => resolve()));
  }

  private take(): void {
    this.isHeld = true;
    this.settings.onHeld(true);
  }
}

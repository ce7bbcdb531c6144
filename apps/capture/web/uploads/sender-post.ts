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
 * The post of the one tab that sends: a lock of the browser, which goes to the next tab when its holder is closed or dies. Without locks, in
 * a browser that is older than those supported, every tab sends; the server applies an asset once.
 */
export class SenderPost {
  isHeld = false;
  private heardMs = performance.now();
  private saidMs = 0;
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
    if (!('locks' in navigator)) return this.take();
    const answered = (lock: Lock | null) => {
      if (lock) return this.hold();
      this.settings.onHeld(false);
      this.wait();
      return undefined;
    };
    navigator.locks.request(this.name, { ifAvailable: true }, answered).catch(this.leave);
  }

  private wait(): void {
    const waiting = new AbortController();
    const watch = setInterval(() => {
      const isSilent = performance.now() - this.heardMs > SILENCE_MS;
      if (!isSilent || document.visibilityState !== 'visible' || !this.settings.hasWork()) return;
      waiting.abort();
      this.request({ steal: true });
    }, LOOK_MS);
    waiting.signal.addEventListener('abort', () => clearInterval(watch));
    this.request({ signal: waiting.signal }, () => clearInterval(watch));
  }

  private request(options: LockOptions, onGranted = () => {}): void {
    const granted = () => {
      onGranted();
      return this.hold();
    };
    // Rejected: the wait was given up, or another tab took the post.
    navigator.locks.request(this.name, options, granted).catch(this.leave);
  }

  private readonly leave = (): void => {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.heardMs = performance.now();
    this.settings.onHeld(false);
    this.wait();
  };

  /** For as long as the page lives. */
  private hold(): Promise<never> {
    this.take();
    return new Promise<never>(() => undefined);
  }

  private take(): void {
    this.isHeld = true;
    this.settings.onHeld(true);
  }
}

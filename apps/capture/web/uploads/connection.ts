/** Errors of a connection that is gone, in the words of browsers. WebKit drops that of a suspended page. */
const LOST = new Set(['InvalidStateError', 'UnknownError']);

const isLost = (error: unknown): boolean => error instanceof Error && LOST.has(error.name);

/** A connection that is opened when it is needed, and once more when it turns out to be gone. */
export class Connection<T> {
  private current: Promise<T> | null = null;

  /** `open` gets a function. It calls that function when the browser closes the connection. */
  constructor(private readonly open: (onClose: () => void) => Promise<T>) {}

  /** The work must be repeatable: what it did may be on the disk although its confirmation was lost. */
  async run<R>(work: (connection: T) => Promise<R>): Promise<R> {
    const used = this.opened();
    try {
      return await work(await used);
    } catch (error) {
      if (!isLost(error)) throw error;
      this.forget(used);
      return work(await this.opened());
    }
  }

  private opened(): Promise<T> {
    if (this.current) return this.current;
    const opened: Promise<T> = this.open(() => this.forget(opened));
    this.current = opened;
    // The next one who needs it tries again.
    opened.catch(() => this.forget(opened));
    return opened;
  }

  /** Somebody else may have opened another one meanwhile. */
  private forget(connection: Promise<T>): void {
    if (this.current === connection) this.current = null;
  }
}

/** Immutable documents that were asked for last, up to a number of bytes: a Map keeps the order of insertion. */
export class ByteCache<T extends { readonly bytes: Buffer }> {
  private readonly entries = new Map<string, T>();
  private heldBytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (entry) {
      this.entries.delete(key);
      this.entries.set(key, entry);
    }
    return entry;
  }

  set(key: string, entry: T): void {
    this.forget(key);
    this.entries.set(key, entry);
    this.heldBytes += entry.bytes.length;
    while (this.heldBytes > this.maxBytes) this.forget(this.entries.keys().next().value!);
  }

  private forget(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.heldBytes -= entry.bytes.length;
  }
}

import { randomBytes } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Held in memory of what comes in, however much that is and however slowly it comes. */
const HELD_BYTES = 256 * 1024;
const FIRST_BYTES = 64 * 1024;

/** A file that nobody can find and that goes with the process: nothing is left behind by one that is killed. */
async function namelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `tire-fetch-${randomBytes(16).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

/** Bytes on their way in, of a length that is not known before the last one: little of them in memory, the rest in a file. */
export class Spool {
  private held: Buffer = Buffer.alloc(0);
  private heldBytes = 0;
  private file: FileHandle | undefined;
  private writtenBytes = 0;

  get sizeBytes(): number {
    return this.writtenBytes + this.heldBytes;
  }

  async fill(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) {
      for (let from = 0; from < chunk.length;) {
        if (this.heldBytes === HELD_BYTES) await this.flush();
        this.makeRoom(chunk.length - from);
        const copied = chunk.copy(this.held, this.heldBytes, from);
        this.heldBytes += copied;
        from += copied;
      }
    }
  }

  /** All of it, in memory. Once: what is held is given away. */
  async read(): Promise<Buffer> {
    if (!this.file) return this.held.subarray(0, this.heldBytes);
    const all = Buffer.allocUnsafeSlow(this.sizeBytes);
    let readBytes = this.held.copy(all, this.writtenBytes, 0, this.heldBytes);
    while (readBytes < all.length) {
      const at = readBytes - this.heldBytes;
      const { bytesRead } = await this.file.read(all, at, this.writtenBytes - at, at);
      if (bytesRead === 0) throw new Error('The file ended early');
      readBytes += bytesRead;
    }
    return all;
  }

  async close(): Promise<void> {
    await this.file?.close();
  }

  private makeRoom(wantedBytes: number): void {
    if (this.heldBytes < this.held.length || this.held.length === HELD_BYTES) return;
    const sizeBytes = Math.max(FIRST_BYTES, this.held.length * 2, this.heldBytes + wantedBytes);
    const held = Buffer.allocUnsafeSlow(Math.min(sizeBytes, HELD_BYTES));
    this.held.copy(held, 0, 0, this.heldBytes);
    this.held = held;
  }

  private async flush(): Promise<void> {
    this.file ??= await namelessFile();
    let from = 0;
    while (from < this.heldBytes) {
      const { bytesWritten } = await this.file.write(this.held, from, this.heldBytes - from, this.writtenBytes);
      from += bytesWritten;
      this.writtenBytes += bytesWritten;
    }
    this.heldBytes = 0;
  }
}

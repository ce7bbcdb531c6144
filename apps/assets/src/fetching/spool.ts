import { randomBytes } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A spool always holds up to this much in memory. */
const HELD_BYTES = 256 * 1024;
const FIRST_BYTES = 64 * 1024;
/** A spool holds up to this much while all spools together hold no more than HELD_BY_ALL_BYTES: an image of usual size needs no file then. */
const HELD_BYTES_MAX = 2 * 1024 * 1024;
const HELD_BY_ALL_BYTES = 8 * 1024 * 1024;
let heldByAllBytes = 0;

/** An unlinked file: the system deletes it with the process, also with one that is killed. */
async function namelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `tire-fetch-${randomBytes(16).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

/** Buffers a body of unknown length: a little of it in memory, the rest in a file. */
export class Spool {
  private held: Buffer = Buffer.alloc(0);
  private heldBytes = 0;
  private file: FileHandle | undefined;
  private writtenBytes = 0;
  private announcedBytes = 0;

  get sizeBytes(): number {
    return this.writtenBytes + this.heldBytes;
  }

  async fill(chunks: AsyncIterable<Buffer>, announcedBytes = 0): Promise<void> {
    this.announcedBytes = announcedBytes;
    for await (const chunk of chunks) {
      for (let from = 0; from < chunk.length;) {
        if (!this.hasRoom(chunk.length - from)) await this.flush();
        const copied = chunk.copy(this.held, this.heldBytes, from);
        this.heldBytes += copied;
        from += copied;
      }
    }
  }

  /** All bytes. Only once: the returned buffer is not held any more. */
  async read(): Promise<Buffer> {
    if (!this.file) {
      const all = this.held.subarray(0, this.heldBytes);
      this.release();
      return all;
    }
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
    this.release();
    await this.file?.close();
  }

  private release(): void {
    heldByAllBytes -= this.held.length;
    this.held = Buffer.alloc(0);
  }

  /** Grows the buffer where that is allowed. Once there is a file, the rest is written to it. */
  private hasRoom(wantedBytes: number): boolean {
    if (this.heldBytes < this.held.length) return true;
    const doubledBytes = Math.max(FIRST_BYTES, this.held.length * 2, Math.min(this.heldBytes + wantedBytes, HELD_BYTES));
    // Memory for the announced length is taken once the first bytes have arrived.
    const isAnnounced = this.heldBytes > 0 && this.announcedBytes > this.heldBytes;
    const roomBytes = [isAnnounced ? this.announcedBytes : doubledBytes, doubledBytes].find((bytes) => this.mayHold(bytes));
    if (roomBytes === undefined) return false;
    const held = Buffer.allocUnsafeSlow(roomBytes);
    this.held.copy(held, 0, 0, this.heldBytes);
    heldByAllBytes += held.length - this.held.length;
    this.held = held;
    return true;
  }

  private mayHold(bytes: number): boolean {
    if (bytes <= HELD_BYTES) return true;
    return !this.file && bytes <= HELD_BYTES_MAX && heldByAllBytes + bytes - this.held.length <= HELD_BY_ALL_BYTES;
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

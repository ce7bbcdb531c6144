import { randomBytes } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Held in memory of what comes in, however much that is and however slowly it comes. */
const HELD_BYTES = 256 * 1024;
const FIRST_BYTES = 64 * 1024;
/** Or so much, while all that come in at the same time hold no more than the other: a photograph of usual size then needs no file. */
const HELD_BYTES_MAX = 2 * 1024 * 1024;
const HELD_BY_ALL_BYTES = 8 * 1024 * 1024;
let heldByAllBytes = 0;

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

  /** All of it, in memory. Once: what is held is given away. */
  async read(): Promise<Buffer> {
    if (!this.file) {
      const all = this.held.subarray(0, this.heldBytes);
      this.giveBack();
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
    this.giveBack();
    await this.file?.close();
  }

  private giveBack(): void {
    heldByAllBytes -= this.held.length;
    this.held = Buffer.alloc(0);
  }

  /** Makes it where it may. Once a file is there, the rest follows it. */
  private hasRoom(wantedBytes: number): boolean {
    if (this.heldBytes < this.held.length) return true;
    const doubledBytes = Math.max(FIRST_BYTES, this.held.length * 2, Math.min(this.heldBytes + wantedBytes, HELD_BYTES));
    // Room for all of it is made once its beginning has come: what is only announced takes none from others.
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

import { tempDir } from '@tire/test-harness';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { Spool } from './spool';

const HELD_BYTES = 256 * 1024;
const MIB = 1024 * 1024;

async function* inPieces(bytes: Buffer, pieceBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

describe('a spool', () => {
  const spools: Spool[] = [];
  const usual = process.env['TMPDIR'];
  let folder: string;

  beforeAll(async () => {
    folder = await tempDir();
    process.env['TMPDIR'] = folder;
  });

  afterEach(() => Promise.all(spools.splice(0).map((spool) => spool.close())));
  afterAll(() => void (usual === undefined ? delete process.env['TMPDIR'] : (process.env['TMPDIR'] = usual)));

  const filled = async (chunks: AsyncIterable<Buffer>): Promise<Spool> => {
    const spool = new Spool();
    spools.push(spool);
    await spool.fill(chunks);
    return spool;
  };

  it.each([
    ['nothing', 0, 1],
    ['a byte', 1, 1],
    ['as much as the buffer', HELD_BYTES, 10_000],
    ['a byte more than the buffer', HELD_BYTES + 1, 10_000],
    ['a chunk larger than the buffer', 3 * HELD_BYTES + 7, 4 * HELD_BYTES],
    ['as much as the largest buffer', 2 * MIB, 16_384],
    ['a byte more than the largest buffer', 2 * MIB + 1, 16_384],
    ['a multiple of the buffer', 4 * HELD_BYTES, HELD_BYTES],
    ['many chunks', 20 * MIB, 16_384],
  ])('returns the bytes: %s', async (_, sizeBytes, pieceBytes) => {
    const bytes = randomBytes(sizeBytes);
    const spool = await filled(inPieces(bytes, pieceBytes));
    expect(spool.sizeBytes).toBe(sizeBytes);
    expect((await spool.read()).equals(bytes)).toBe(true);
  });

  it('leaves no visible file', async () => {
    await filled(inPieces(Buffer.alloc(4 * MIB), HELD_BYTES));
    expect(await readdir(folder)).toEqual([]);
  });

  it('holds little in memory for a large body', async () => {
    const piece = Buffer.alloc(HELD_BYTES);
    async function* much(): AsyncGenerator<Buffer> {
      for (let sent = 0; sent < 1_024; sent += 1) yield piece;
    }
    const before = process.memoryUsage().arrayBuffers;
    const spool = await filled(much());
    expect(spool.sizeBytes).toBe(256 * MIB);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * MIB);
  });

  it('holds little in memory for many bodies of usual size', async () => {
    const bytes = randomBytes(2 * MIB);
    const before = process.memoryUsage().arrayBuffers;
    const many = await Promise.all(Array.from({ length: 32 }, () => filled(inPieces(bytes, 16_384))));
    // 8 of the 64 MB are in memory. The rest of the bound is 256 KB for each other spool and buffers that are not collected yet.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * MIB);
    for (const spool of many) expect((await spool.read()).equals(bytes)).toBe(true);
  });

  it('fails with the error of its source', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(2 * HELD_BYTES);
      throw new Error('cut off');
    }
    await expect(filled(broken())).rejects.toThrow('cut off');
  });
});

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
    ['just what is held', HELD_BYTES, 10_000],
    ['a byte more', HELD_BYTES + 1, 10_000],
    ['one piece larger than what is held', 3 * HELD_BYTES + 7, 4 * HELD_BYTES],
    ['just what may be held', 2 * MIB, 16_384],
    ['a byte more than may be held', 2 * MIB + 1, 16_384],
    ['a whole number of what is held', 4 * HELD_BYTES, HELD_BYTES],
    ['many pieces', 20 * MIB, 16_384],
  ])('gives back %s as it came', async (_, sizeBytes, pieceBytes) => {
    const bytes = randomBytes(sizeBytes);
    const spool = await filled(inPieces(bytes, pieceBytes));
    expect(spool.sizeBytes).toBe(sizeBytes);
    expect((await spool.read()).equals(bytes)).toBe(true);
  });

  it('leaves no file that a killed process could leave behind', async () => {
    await filled(inPieces(Buffer.alloc(4 * MIB), HELD_BYTES));
    expect(await readdir(folder)).toEqual([]);
  });

  it('holds little, whatever comes in', async () => {
    const piece = Buffer.alloc(HELD_BYTES);
    async function* much(): AsyncGenerator<Buffer> {
      for (let sent = 0; sent < 1_024; sent += 1) yield piece;
    }
    const before = process.memoryUsage().arrayBuffers;
    const spool = await filled(much());
    expect(spool.sizeBytes).toBe(256 * MIB);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * MIB);
  });

  it('holds little of many together, also of those of usual size', async () => {
    const bytes = randomBytes(2 * MIB);
    const before = process.memoryUsage().arrayBuffers;
    const many = await Promise.all(Array.from({ length: 32 }, () => filled(inPieces(bytes, 16_384))));
    // The 64 MB are 8 in memory, a quarter for each of the others, and what nobody holds any more.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * MIB);
    for (const spool of many) expect((await spool.read()).equals(bytes)).toBe(true);
  });

  it('passes on the fault of what fills it', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(2 * HELD_BYTES);
      throw new Error('cut off');
    }
    await expect(filled(broken())).rejects.toThrow('cut off');
  });
});

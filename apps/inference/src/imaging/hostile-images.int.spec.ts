import { hostileImages, spawnTypeScript } from '@tire/test-harness';
import { once } from 'node:events';
import { join } from 'node:path';

interface End {
  readonly name: string;
  readonly verdict: string;
  readonly end: string;
  readonly tookMs: number;
  readonly peakMib: number;
}

const CODES = new Set(['decoded', 'image_undecodable', 'image_too_large', 'image_too_small']);

it('hostile images give an image or a public code, and the process survives', async () => {
  const ends: End[] = [];
  const decoder = spawnTypeScript(join(__dirname, '../testing/hostile-decoder.fixture.ts'));
  decoder.on('message', (end) => ends.push(end as End));
  const [code, signal] = (await once(decoder, 'exit')) as [number | null, string | null];
  expect({ code, signal, decoded: ends.length }).toEqual({ code: 0, signal: null, decoded: hostileImages().length });
  expect(ends.filter(({ end }) => !CODES.has(end))).toEqual([]);
  // Of an animation, which assets refuses, only the first frame is decoded.
  const foreign = ends.filter(({ verdict, name }) => verdict === 'image_format_unsupported' && !/animation/.test(name));
  expect(foreign.filter(({ end }) => end === 'decoded')).toEqual([]);
  const slowest = ends.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, 5);
  console.log(`${ends.length} images decoded or refused, ${ends.at(-1)!.peakMib.toFixed(0)} MiB at most; the slowest:`, slowest);
}, 240_000);

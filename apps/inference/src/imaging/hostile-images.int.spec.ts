import { decodeProcessesMib } from '@tire/platform/images';
import { hostileImages, spawnTypeScript } from '@tire/test-harness';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { configSchema } from '../config';

interface End {
  readonly name: string;
  readonly verdict: string;
  readonly end: string;
  readonly tookMs: number;
  readonly peakMib: number;
}

const CODES = new Set(['decoded', 'image_undecodable', 'image_too_large', 'image_too_small']);
/** `npm run test:long` changes 10,000. */
const CHANGED = Number(process.env['HOSTILE_IMAGES'] ?? 100);
const BOMBS = Number(process.env['HOSTILE_BOMBS'] ?? 2);
const MIB_PER_GIB = 1024;

async function decoded(what: 'images' | 'bombs', count: number): Promise<End[]> {
  const ends: End[] = [];
  const decoder = spawnTypeScript(join(__dirname, '../testing/hostile-decoder.fixture.ts'), [what, String(count)]);
  decoder.on('message', (end) => ends.push(end as End));
  const [code, signal] = (await once(decoder, 'exit')) as [number | null, string | null];
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  return ends;
}

/** The most that a container stores in /dev/shm. */
const PIXEL_FILES_MIB = 64;

const chartLimitMib = (): number => {
  const values = parse(readFileSync(join(__dirname, '../../../../helm/tire-inspection/values.yaml'), 'utf8'));
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(values.inference.cpu.resources.limits.memory as string)!;
  return Number(amount) * (unit === 'Gi' ? MIB_PER_GIB : 1);
};

it('hostile images give an image or a public code, and the process survives', async () => {
  const ends = await decoded('images', CHANGED);
  expect(ends).toHaveLength(hostileImages().length + CHANGED);
  expect(ends.filter(({ end }) => !CODES.has(end))).toEqual([]);
  // An animation, which assets refuses, is decoded to its first frame.
  const foreign = ends.filter(({ verdict, name }) => verdict === 'image_format_unsupported' && !/animation/.test(name));
  expect(foreign.filter(({ end }) => end === 'decoded')).toEqual([]);
  expect(ends.at(-1)!.peakMib).toBeLessThan(decodeProcessesMib());
  const slowest = ends.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, 5);
  console.log(`${ends.length} images decoded or refused, ${ends.at(-1)!.peakMib.toFixed(0)} MiB at most; the slowest:`, slowest);
}, 3_600_000);

it('interlaced images of 60 megapixels and 16 bits are decoded one after the other, within the memory of the decoders', async () => {
  const ends = await decoded('bombs', BOMBS);
  expect(ends.map(({ end }) => end)).toEqual(Array(BOMBS).fill('decoded'));
  expect(ends.at(-1)!.peakMib).toBeLessThan(decodeProcessesMib());
}, 300_000);

it('the models up to their ceiling and the decoders together stay below the limit in the chart', () => {
  const ceilingMib = configSchema.shape.MEMORY_CEILING_MIB.parse(undefined);
  expect(ceilingMib + decodeProcessesMib() + PIXEL_FILES_MIB).toBeLessThan(chartLimitMib());
});

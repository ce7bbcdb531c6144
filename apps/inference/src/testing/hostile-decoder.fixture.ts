import { changedImages, hostileImages, END, header, pixels, png } from '@tire/test-harness';
import { UnusableImage } from '@tire/platform/images';
import { readdirSync, readFileSync } from 'node:fs';
import { decodeImage, type DecodeLimits } from '../imaging/decode';

const LIMITS: DecodeLimits = { longSidePx: 1024, minShortSidePx: 96, maxPixels: 60_000_000 };
const LOOK_EVERY_MS = 20;

const statusOf = (pid: string, field: string): number => {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** Resident memory of the processes that decode, in MiB. */
const decodersMib = (): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statusOf(name, 'PPid') === process.pid)
    .reduce((sum, pid) => sum + statusOf(pid, 'VmRSS') / 1024, 0);

let peakMib = 0;
setInterval(() => (peakMib = Math.max(peakMib, decodersMib())), LOOK_EVERY_MS).unref();

async function decode(name: string, verdict: string, bytes: Buffer): Promise<void> {
  const startedMs = performance.now();
  const end = await decodeImage(bytes, LIMITS).then(
    () => 'decoded',
    (error: unknown) => (error instanceof UnusableImage ? error.errorCode : String(error)),
  );
  process.send?.({ name, verdict, end, tookMs: performance.now() - startedMs, peakMib });
}

/** The list, and images of it with a few bytes changed, always the same. */
async function decodeAll(changed: number): Promise<void> {
  for (const { name, verdict, make } of hostileImages()) await decode(name, verdict, make());
  for (const { name, bytes } of changedImages(changed)) await decode(name, 'any', bytes);
}

/** Interlaced PNGs of 16 bits and 60 megapixels, all at once. */
async function decodeBombs(count: number): Promise<void> {
  const bytes = png(header(10_000, 6_000, { depth: 16, colour: 6, interlace: 1 }), pixels(480_012_000), END);
  await Promise.all(Array.from({ length: count }, (_, index) => decode(`bomb ${index}`, 'accepted', bytes)));
}

async function main(what: string, count: number): Promise<void> {
  await (what === 'bombs' ? decodeBombs(count) : decodeAll(count));
  process.disconnect?.();
}

void main(process.argv[2]!, Number(process.argv[3]));

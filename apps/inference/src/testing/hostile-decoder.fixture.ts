import { hostileImages } from '@tire/test-harness';
import { readFileSync } from 'node:fs';
import { decodeImage, UnusableImage, type DecodeLimits } from '../imaging/decode';

const peakMib = (): number => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

/** Decodes every hostile image in this process, one after another, and reports how each ended and the peak memory. */
async function main(limits: DecodeLimits): Promise<void> {
  for (const { name, verdict, make } of hostileImages()) {
    const bytes = make();
    const startedMs = performance.now();
    const end = await decodeImage(bytes, limits).then(
      () => 'decoded',
      (error: unknown) => (error instanceof UnusableImage ? error.errorCode : String(error)),
    );
    process.send?.({ name, verdict, end, tookMs: performance.now() - startedMs, peakMib: peakMib() });
  }
  process.disconnect?.();
}

void main({ longSidePx: 1024, minShortSidePx: 96, maxPixels: 60_000_000 });

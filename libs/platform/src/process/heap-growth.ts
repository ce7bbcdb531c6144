import { setFlagsFromString } from 'node:v8';

/** By how much the heap of a service may grow between two full collections, in percent of what lives in it. */
const GROWTH_PERCENT = 100;

/**
 * In a process that mostly waits V8 collects the whole heap as soon as it has grown by a tenth, and counts Buffers as heap. Here the
 * photographs of every second report reached that (docs/performance.md). With this
 * growth the collections of young memory come first, which free the Buffers as well.
 */
export function letHeapGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

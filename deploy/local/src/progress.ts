import { performance } from 'node:perf_hooks';

/** Prints one line a step. A step that takes longer than a second prints that it has begun. */
export async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const seconds = () => `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
  const stillWorking = setInterval(() => console.log(`  … ${what} (${seconds()})`), 1_000);
  try {
    const result = await work();
    console.log(`  ✓ ${what} (${seconds()})`);
    return result;
  } catch (error) {
    console.error(`  ✗ ${what} (${seconds()})`);
    throw error;
  } finally {
    clearInterval(stillWorking);
  }
}

import { performance } from 'node:perf_hooks';

/** One line a step; a step that takes longer than a second says that it is still at work. */
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

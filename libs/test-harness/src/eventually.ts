/** A probe is often a request through several services. Repeated without a pause, it takes the time of what the test waits for. */
const POLL_MS_MAX = 200;

/**
 * Waits for a condition: calls the probe until its result is neither undefined nor false. A probe that throws is retried until the deadline,
 * which is for a fact that never occurs: on a busy machine a process needs half a minute to start. The pause between two probes grows with
 * the time that has passed, to a tenth of it.
 */
export async function eventually<T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  {
    timeoutMs = 60_000,
    pollMs = 10,
    message = 'The expected fact did not occur',
  }: { timeoutMs?: number; pollMs?: number; message?: string } = {},
): Promise<T> {
  const beganMs = Date.now();
  let cause: unknown;
  for (;;) {
    try {
      const answer = await probe();
      if (answer !== undefined && answer !== false) return answer;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    const waitedMs = Date.now() - beganMs;
    if (waitedMs > timeoutMs) throw new Error(`${message} (waited ${timeoutMs} ms)`, { cause });
    await new Promise((resolve) => setTimeout(resolve, Math.max(pollMs, Math.min(POLL_MS_MAX, waitedMs / 10))));
  }
}

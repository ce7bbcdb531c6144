/** Waits for a condition: calls the probe until its result is neither undefined nor false. A probe that throws is retried until the deadline. */
export async function eventually<T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  {
    timeoutMs = 10_000,
    pollMs = 10,
    message = 'The expected fact did not occur',
  }: { timeoutMs?: number; pollMs?: number; message?: string } = {},
): Promise<T> {
  const deadlineMs = Date.now() + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const answer = await probe();
      if (answer !== undefined && answer !== false) return answer;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (Date.now() > deadlineMs) throw new Error(`${message} (waited ${timeoutMs} ms)`, { cause });
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

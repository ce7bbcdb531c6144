import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './api';
import type { Operation } from './operations';

const TAKEN_ON_WITHIN_MS = 60_000;
const REFUSED_FOR_NOW = [429, 503];

/**
 * A busy system refuses some requests for a moment, and clients repeat them. Any other response is returned at once, and a refusal after a
 * minute. No response stands for a lost connection, where a test expects one.
 */
export async function takenOn<O extends Operation>(ask: () => Promise<Answer<O> | undefined>): Promise<Answer<O>> {
  const deadlineMs = Date.now() + TAKEN_ON_WITHIN_MS;
  for (let waitMs = 10; ; waitMs = Math.min(200, 2 * waitMs)) {
    const answer = await ask();
    const isOver = Date.now() > deadlineMs;
    if (answer && (isOver || !REFUSED_FOR_NOW.includes(answer.status))) return answer;
    if (isOver) throw new Error('No response');
    await pause(waitMs);
  }
}

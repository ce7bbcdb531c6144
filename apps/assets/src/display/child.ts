import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { derivativesOf, NotShowable } from './derivatives';
import { MEMORY_BYTES_MAX, type Job, type Outcome } from './protocol';

/** An image of 60 megapixels takes 1 to 2 s. Time of the processor, so that a busy machine fails no image. */
const CPU_MS_MAX = 15_000;
const WATCH_EVERY_MS = 10;
/** Requests of callers go first. */
const NICENESS = 5;

setPriority(NICENESS);

// If memory runs out in spite of all limits, the system ends this process and not the service.
try {
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Not on every system.
}

/** The decoder has threads of its own, so this thread can watch it. A running decoder can only be killed. */
function watch(): NodeJS.Timeout {
  const began = process.cpuUsage();
  return setInterval(() => {
    const { user, system } = process.cpuUsage(began);
    if (process.memoryUsage.rss() > MEMORY_BYTES_MAX || (user + system) / 1_000 > CPU_MS_MAX) process.kill(process.pid, 'SIGKILL');
  }, WATCH_EVERY_MS);
}

async function outcomeOf(job: Job): Promise<Outcome> {
  const watching = watch();
  try {
    return { kind: 'made', derivatives: await derivativesOf(job) };
  } catch (error) {
    if (error instanceof NotShowable) return { kind: 'refused', reason: error.message };
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearInterval(watching);
  }
}

process.on('message', (job: Job) => {
  void outcomeOf(job).then((outcome) => process.send?.(outcome));
});
// A signal to the whole group: the service decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

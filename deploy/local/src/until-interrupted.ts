import type { Stack } from './stack';

/** Keeps the stack until Ctrl-C or until one of its services can't be kept alive. The result is the exit code. */
export async function untilInterrupted(stack: Stack): Promise<number> {
  const interrupted = new Promise<'interrupted'>((resolve) => {
    process.once('SIGINT', () => resolve('interrupted'));
    process.once('SIGTERM', () => resolve('interrupted'));
    process.once('SIGHUP', () => resolve('interrupted'));
  });
  const outcome = await Promise.race([interrupted, stack.gaveUp]);
  if (outcome !== 'interrupted') console.error(`\n${outcome} crashes again and again; the stack stops.`);
  else console.log('\nStopping: services finish what they hold.');
  await stack.stop();
  return outcome === 'interrupted' ? 0 : 1;
}

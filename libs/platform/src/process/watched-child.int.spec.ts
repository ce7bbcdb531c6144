import { once, EventEmitter } from 'node:events';
import { WatchedChild, type WorkLimits } from './watched-child';

const FAR: WorkLimits = { cpuMs: 600_000, wallMs: 600_000 };

async function startChild(env?: Record<string, string>) {
  const events = new EventEmitter();
  const child = new WatchedChild<string, string>(require.resolve('./watched-child.fixture'), {
    ...(env ? { env } : {}),
    onMessage: (message) => events.emit('message', message),
    onEnd: (reason, end) => events.emit('end', reason, end),
  });
  child.watch(FAR);
  await once(events, 'message');
  return { child, events };
}

it.each<[string, Partial<WorkLimits>, RegExp]>([
  ['burn', { cpuMs: 300 }, /more than 300 ms of CPU time/],
  ['burn', { wallMs: 300 }, /no end within 300 ms/],
  ['grow', { residentMib: 200 }, /more than 200 MiB/],
])('kills a child that would %s beyond %j', async (what, limits, reason) => {
  const { child, events } = await startChild();
  const ended = once(events, 'end');
  child.watch({ ...FAR, ...limits });
  child.send(what);
  expect(await ended).toEqual([expect.stringMatching(reason), 'broken']);
  await child.ended;
  expect(child.residentMib).toBe(0);
});

it('counts CPU time and not waiting: a child that waits longer than its limit of CPU time answers', async () => {
  const { child, events } = await startChild();
  const answered = once(events, 'message');
  child.watch({ ...FAR, cpuMs: 250 });
  child.send('wait');
  expect(await answered).toEqual(['waited']);
  child.kill('test');
  await child.ended;
});

it('does not count the time in which this process stood still', async () => {
  const { child, events } = await startChild();
  const answered = once(events, 'message');
  child.watch({ ...FAR, wallMs: 60_000 });
  child.send('wait');
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000);
  expect(await answered).toEqual(['waited']);
  // The watch has looked at the clock after the hour.
  expect(clock).toHaveBeenCalled();
  clock.mockRestore();
  expect(child.isKilled).toBe(false);
  child.kill('test');
  await child.ended;
});

it.each([
  ['SIGKILL', 'killed'],
  ['SIGSEGV', 'broken'],
  ['SIGTERM', 'ended'],
] as const)('reports a child that ends with %s as %s', async (signal, end) => {
  const { child, events } = await startChild();
  const ended = once(events, 'end');
  process.kill(child.pid!, signal);
  expect(await ended).toEqual([`ended with ${signal}`, end]);
});

it('reports a child that is not needed any more as ended', async () => {
  const { child, events } = await startChild();
  const ended = once(events, 'end');
  child.kill('not needed');
  expect(await ended).toEqual(['not needed', 'ended']);
});

it('gives a child the given environment and no other', async () => {
  const { child, events } = await startChild({ ONLY: 'this' });
  const answered = once(events, 'message');
  child.watch(FAR);
  child.send('env');
  expect((await answered)[0]).toMatch(/ONLY/);
  expect((await answered)[0]).not.toMatch(/HOME|PATH/);
  child.kill('test');
});

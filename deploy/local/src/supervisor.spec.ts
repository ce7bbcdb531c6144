import { launch } from '@tire/test-harness';
import { Supervisor } from './supervisor';

const program = (code: string) => () =>
  Promise.resolve(launch({ command: process.execPath, args: ['-e', code], logFile: '/dev/null', stopSignal: 'SIGTERM' }));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the supervisor of the local stack', () => {
  beforeEach(() => jest.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => jest.restoreAllMocks());

  it('starts a killed process again under the same name and reports both', async () => {
    let changed: () => void = () => undefined;
    const supervisor = new Supervisor(
      () => changed(),
      () => undefined,
    );
    await supervisor.start('sleeper', program('setInterval(() => {}, 1000)'));
    const first = supervisor.pids['sleeper']!;
    const restarted = new Promise<void>((resolve) => (changed = resolve));
    process.kill(first, 'SIGKILL');
    await restarted;
    expect(supervisor.pids['sleeper']).not.toBe(first);
    expect(console.error).toHaveBeenCalledWith(expect.stringContaining(`sleeper (pid ${first}) ended with SIGKILL`));
    await supervisor.stopAll();
  });

  it('does not restart a process that crashes again and again', async () => {
    const gaveUp = new Promise<string>((resolve) => {
      const supervisor = new Supervisor(() => undefined, resolve, { restartDelayMs: 1, windowMs: 3_600_000 });
      void supervisor.start('broken', program('process.exit(7)'));
    });
    expect(await gaveUp).toBe('broken');
  });

  it('counts a start that fails as a crash, and tries again', async () => {
    let changed: () => void = () => undefined;
    const supervisor = new Supervisor(
      () => changed(),
      () => undefined,
      { restartDelayMs: 1, windowMs: 3_600_000 },
    );
    const start = jest.fn(program('setInterval(() => {}, 1000)'));
    await supervisor.start('postgres', start);
    const restarted = new Promise<void>((resolve) => (changed = resolve));
    start.mockRejectedValueOnce(new Error('still in use'));
    process.kill(supervisor.pids['postgres']!, 'SIGKILL');
    await restarted;
    expect(start).toHaveBeenCalledTimes(3);
    expect(console.error).toHaveBeenCalledWith(expect.stringContaining('postgres did not start again: Error: still in use'));
    await supervisor.stopAll();
  });

  it('does not try for ever to start a process', async () => {
    const start = jest.fn(program('process.exit(7)'));
    const gaveUp = new Promise<string>((resolve) => {
      const supervisor = new Supervisor(() => undefined, resolve, { restartDelayMs: 1, windowMs: 0 });
      void supervisor.start('postgres', start);
    });
    start.mockRejectedValue(new Error('still in use'));
    expect(await gaveUp).toBe('postgres');
    expect(start).toHaveBeenCalledTimes(11);
  });

  it('leaves nothing alive when it stops, services before infrastructure', async () => {
    const supervisor = new Supervisor(
      () => undefined,
      () => undefined,
    );
    for (const name of ['postgres', 'nats', 'ledger', 'gateway']) await supervisor.start(name, program('setInterval(() => {}, 1000)'));
    const pids = Object.values(supervisor.pids);
    expect(pids.map(isAlive)).toEqual([true, true, true, true]);
    await supervisor.stopAll();
    expect(pids.map(isAlive)).toEqual([false, false, false, false]);
  });
});

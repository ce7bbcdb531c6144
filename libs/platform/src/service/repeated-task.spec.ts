import { periodicTask, RepeatedTask } from './repeated-task';

const NEVER_MS = 86_400_000;

describe('turns', () => {
  it('are repeated at once while there is more, and after a nudge, also one that comes during a turn', async () => {
    let taken = 0;
    let reached: () => void = () => undefined;
    const turns: RepeatedTask = new RepeatedTask(async () => {
      taken += 1;
      if (taken === 3) turns.nudge();
      if (taken >= 4) reached();
      return taken < 3 ? 0 : NEVER_MS;
    });
    const four = new Promise<void>((resolve) => (reached = resolve));
    turns.start();
    await four;
    const five = new Promise<void>((resolve) => (reached = resolve));
    turns.nudge();
    await five;
    await turns.stop();
    turns.nudge();
    expect([taken, turns.isStopped]).toEqual([5, true]);
  });
});

describe('work at an interval', () => {
  it('begins after one interval, and runs again after a run that failed', async () => {
    const warnings: object[] = [];
    let runs = 0;
    let reached: () => void = () => undefined;
    const three = new Promise<void>((resolve) => (reached = resolve));
    const work = async () => {
      runs += 1;
      if (runs === 2) throw new Error('once');
      if (runs === 3) reached();
    };
    const task = periodicTask(1, work, { warn: (fields: object) => void warnings.push(fields) });
    task.start();
    expect(runs).toBe(0);
    await three;
    await task.stop();
    expect(warnings).toEqual([{ err: new Error('once') }]);
  });

  it('that is stopped before its first interval is over never runs, nor after another start', async () => {
    const work = jest.fn(async () => undefined);
    const task = periodicTask(NEVER_MS, work, { warn: () => undefined });
    task.start();
    await task.stop();
    task.start();
    expect(work).not.toHaveBeenCalled();
  });
});

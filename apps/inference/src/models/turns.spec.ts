import { Turns } from './turns';

function world() {
  const clock = { ms: 0 };
  const done: string[] = [];
  const turns = new Turns(() => clock.ms);
  let id = 0;
  /** A job of steps that each take this time. */
  const job = async (name: string, steps: number, stepMs: number, between: (step: number) => void = () => undefined): Promise<void> =>
    void (await turns.run(++id, async () => {
      for (let step = 1; step <= steps; step++) {
        clock.ms += stepMs;
        done.push(`${name}${step}`);
        between(step);
        await turns.giveWay();
      }
    }));
  return { job, done };
}

it('a short job that comes later is served between two steps of a long one', async () => {
  const { job, done } = world();
  let late: Promise<void> | undefined;
  const long = job('long', 4, 1_000, (step) => {
    if (step === 2) late = job('short', 2, 500);
  });
  await long;
  await late;
  expect(done).toEqual(['long1', 'long2', 'short1', 'short2', 'long3', 'long4']);
});

it('equal jobs take turns, the first one first', async () => {
  const { job, done } = world();
  await Promise.all([job('a', 2, 100), job('b', 2, 100)]);
  expect(done[0]).toBe('a1');
  expect(done.indexOf('b1')).toBeLessThan(done.indexOf('a2') + 2);
});

it('a long job ends although short ones keep coming', async () => {
  const { job, done } = world();
  const others: Promise<void>[] = [];
  let count = 0;
  const another = (): void => {
    if (++count < 200) others.push(job(`short${count}-`, 1, 500, another));
  };
  await job('long', 3, 1_000, (step) => {
    if (step === 1) another();
  });
  expect(done.filter((name) => name.startsWith('long'))).toHaveLength(3);
  expect(count).toBeLessThan(100);
  await Promise.all(others);
});

it('a job that fails leaves its turn to the next one, and work outside of a job waits for nothing', async () => {
  const turns = new Turns();
  const failing = turns.run(1, async () => {
    throw new Error('broken');
  });
  const next = turns.run(2, async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toMatchObject({ result: 'done' });
  await turns.giveWay();
});

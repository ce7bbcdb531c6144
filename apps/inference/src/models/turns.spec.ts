import { Turns } from './turns';

function world() {
  const clock = { ms: 0 };
  const done: string[] = [];
  const turns = new Turns(() => clock.ms);
  let id = 0;
  /** A job of steps that each take this time. Its project is the first word of its name. */
  const job = async (name: string, steps: number, stepMs: number, between: (step: number) => void = () => undefined): Promise<void> =>
    void (await turns.run({ id: ++id, projects: [name.split(' ')[0]!] }, async () => {
      for (let step = 1; step <= steps; step++) {
        clock.ms += stepMs;
        done.push(`${name}${step}`);
        between(step);
        await turns.giveWay();
      }
    }));
  return { job, done, clock };
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

/** A project that keeps the process busy, with this many images at once. */
function busy({ job }: ReturnType<typeof world>, name: string, atOnce: number, most: number): Promise<void>[] {
  const begun: Promise<void>[] = [];
  const another = (): void => {
    if (begun.length < most) begun.push(job(`${name} ${begun.length} `, 3, 200, (step) => step === 3 && another()));
  };
  for (let count = 0; count < atOnce; count++) another();
  return begun;
}

it('the images of a project come before those of one that kept the process busy', async () => {
  const here = world();
  const { job, done, clock } = here;
  let victim: { readonly atMs: number; readonly ended: Promise<void> } | undefined;
  const begins = async (): Promise<void> => {
    for (let image = 0; image < 4; image++) await job(`victim ${image} `, 3, 200);
  };
  const waiting = job('busy first ', 30, 200, (step) => {
    if (step === 20) victim = { atMs: clock.ms, ended: begins() };
  });
  const others = busy(here, 'busy', 2, 40);
  await waiting;
  await victim!.ended;
  const steps = done.slice(done.findIndex((name) => name.startsWith('victim')));
  // Before each image comes, one step of the others may have begun.
  expect(steps.slice(0, 16).filter((name) => name.startsWith('victim'))).toHaveLength(12);
  await Promise.all(others);
});

it('two projects that keep the process busy have equal shares, one with more images at once too', async () => {
  const here = world();
  await Promise.all([...busy(here, 'few', 1, 60), ...busy(here, 'many', 5, 60)]);
  const first = here.done.slice(10, 210);
  const few = first.filter((name) => name.startsWith('few')).length / first.length;
  expect(few).toBeGreaterThan(0.4);
  expect(few).toBeLessThan(0.6);
});

it('a job that fails leaves its turn to the next one, and work outside of a job waits for nothing', async () => {
  const turns = new Turns();
  const failing = turns.run({ id: 1, projects: ['a'] }, async () => {
    throw new Error('broken');
  });
  const next = turns.run({ id: 2, projects: ['b'] }, async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toMatchObject({ result: 'done' });
  await turns.giveWay();
});

import { MemoryGuard } from './memory-guard';

const MINUTE_MS = 60_000;

function guarded(ceilingMib: number) {
  const done: string[] = [];
  const memory = { mib: 0 };
  const guard = new MemoryGuard(
    ceilingMib,
    async () => void done.push('renewed'),
    () => 100,
    () => void done.push('ended'),
    () => memory.mib,
  );
  const check = async (mib: number, atMs: number) => {
    memory.mib = mib - 100;
    await guard.check(atMs);
    return [...done];
  };
  return { check };
}

it('leaves a worker alone up to its ceiling', async () => {
  expect(await guarded(500).check(500, 0)).toEqual([]);
});

it('renews the model processes once, and ends the process only when no memory is free after a minute', async () => {
  const { check } = guarded(500);
  expect(await check(501, 0)).toEqual(['renewed']);
  expect(await check(520, MINUTE_MS - 1)).toEqual(['renewed']);
  expect(await check(520, MINUTE_MS)).toEqual(['renewed', 'ended']);
});

it('renews again after more than a minute below the ceiling', async () => {
  const { check } = guarded(500);
  await check(501, 0);
  await check(300, MINUTE_MS + 1);
  expect(await check(501, 5 * MINUTE_MS)).toEqual(['renewed', 'renewed']);
});

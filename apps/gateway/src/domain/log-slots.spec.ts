import { LOG_SLOTS, loggedSince, slotOf, slotToEmpty } from './log-slots';

const DAY_MS = 86_400_000;

it.each(Array.from({ length: LOG_SLOTS + 1 }, (_, day) => day))('on day %i the emptied slot is neither shown nor written', (day) => {
  const now = new Date(Date.UTC(2026, 10, 21 + day, 23, 59, 59, 999));
  const shown: number[] = [];
  for (let at = loggedSince(now).getTime(); at <= now.getTime(); at += DAY_MS / 4) shown.push(slotOf(new Date(at)));
  expect(shown).not.toContain(slotToEmpty(now));
  expect(slotOf(now)).not.toBe(slotToEmpty(now));
  // A process whose clock is a day ahead writes there tomorrow.
  expect(slotOf(new Date(now.getTime() + DAY_MS))).toBe(slotToEmpty(now));
});

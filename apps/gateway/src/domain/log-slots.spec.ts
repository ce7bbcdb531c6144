import { LOG_SLOTS, loggedSince, slotOf, slotsToEmpty } from './log-slots';

const DAY_MS = 86_400_000;

it.each(Array.from({ length: 33 }, (_, day) => day))('on day %i the emptied slot is neither shown nor written', (day) => {
  const now = new Date(Date.UTC(2026, 10, 21 + day, 23, 59, 59, 999));
  const shown: number[] = [];
  for (let at = loggedSince(now).getTime(); at <= now.getTime(); at += DAY_MS / 4) shown.push(slotOf(new Date(at)));
  const [emptied, earlier] = slotsToEmpty(now);
  expect(shown).not.toContain(emptied);
  expect(slotOf(now)).not.toBe(emptied);
  // A process whose clock is a day ahead writes there tomorrow.
  expect(slotOf(new Date(now.getTime() + DAY_MS))).toBe(emptied);
  expect(shown).not.toContain(earlier);
  expect(Math.max(...shown)).toBeLessThan(LOG_SLOTS);
});

it('the ring of earlier releases is emptied within nine days', () => {
  const emptied = Array.from({ length: 9 }, (_, day) => slotsToEmpty(new Date(Date.UTC(2026, 0, day)))[1]);
  expect(emptied.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

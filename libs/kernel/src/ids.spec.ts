import { idAfter, isUuid, newId, timeOfId } from './ids';
import { ALL_SLOTS, isSlotId, parseSlotId, slotId } from './slots';
import { assertNever, firstMsAt } from './clock';

describe('ids', () => {
  it('are version 7 UUIDs that contain their creation time', () => {
    const madeAtMs = Date.parse('2026-11-21T04:05:06.789Z');
    const id = newId(madeAtMs);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(timeOfId(id)).toEqual(new Date(madeAtMs));
  });

  it('sort by time and do not repeat', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => newId(1_700_000_000_000 + index));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(Array.from({ length: 10_000 }, () => newId(0))).size).toBe(10_000);
  });

  it('sort in the order of creation within one millisecond too', () => {
    const ids = Array.from({ length: 2_000 }, () => newId(1_700_000_000_000));
    expect([...ids].sort()).toEqual(ids);
  });

  it('of one millisecond keep their order while others are made of the time of day', () => {
    // A millisecond of its own: one has room for two thousand ids for certain, and the test before has made as many of its own.
    const ids = Array.from({ length: 200 }, () => [newId(1_700_000_005_000), newId()][0]!);
    expect([...ids].sort()).toEqual(ids);
  });

  it('are moved behind a later id of another clock, and stay unchanged otherwise', () => {
    const [earlier, later] = [newId(1_700_000_000_000), newId(1_700_000_005_000)];
    expect(idAfter(earlier, later)).toBe(later);
    const moved = idAfter(later, earlier);
    expect(timeOfId(moved).getTime()).toBe(1_700_000_005_001);
    expect([isUuid(moved), moved.slice(13)]).toEqual([true, earlier.slice(13)]);
  });

  it.each([
    ['', false],
    ['0193-x', false],
    [newId(), true],
    [newId().toUpperCase(), true],
    [`${newId()}\n`, false],
  ])('isUuid(%j) is %s', (text, expected) => {
    expect(isUuid(text)).toBe(expected);
  });
});

describe('a bound that is finer than a millisecond', () => {
  it.each([
    ['2026-11-21T04:05:06Z', '2026-11-21T04:05:06.000Z'],
    ['2026-11-21T04:05:06.1Z', '2026-11-21T04:05:06.100Z'],
    ['2026-11-21T04:05:06.120000Z', '2026-11-21T04:05:06.120Z'],
    ['2026-11-21T04:05:06.1200001Z', '2026-11-21T04:05:06.121Z'],
    ['2026-12-31T23:59:59.9999Z', '2027-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, first) => {
    expect(new Date(firstMsAt(text)).toISOString()).toBe(first);
  });

  it('is no number where it is no time', () => {
    expect(firstMsAt('soon')).toBeNaN();
  });
});

describe('slots', () => {
  it('have ids of the form tire.{image_type}.{position}, both ways', () => {
    expect(ALL_SLOTS).toHaveLength(8);
    for (const slot of ALL_SLOTS) expect(parseSlotId(slotId(slot))).toEqual(slot);
    expect(slotId({ position: 'front_left', image_type: 'tread' })).toBe('tire.tread.front_left');
  });

  it('refuse what is not one', () => {
    expect(isSlotId('tire.tread.middle')).toBe(false);
    expect(() => parseSlotId('tire.tread.middle')).toThrow('Not a slot id');
  });
});

it('assertNever names the unexpected value', () => {
  expect(() => assertNever({ kind: 'surprise' } as never)).toThrow('{"kind":"surprise"}');
});

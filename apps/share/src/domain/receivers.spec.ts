import { FIRST_ROOM, Receivers } from './receivers';

describe('receivers', () => {
  const roomOf = (receivers: Receivers, name: string) => receivers.roomsOf([name]).get(name);
  const begin = (receivers: Receivers, name: string, count = 1) =>
    receivers.began(Array<string>(count).fill(name), receivers.roomsOf([name]));
  const tried = (receivers: Receivers, name: string, answeredMs: number | null) => {
    begin(receivers, name);
    return receivers.ended(name, answeredMs);
  };

  it('a stranger may have two tries under way', () => {
    const receivers = new Receivers();
    expect(roomOf(receivers, 'a')).toBe(2);
    begin(receivers, 'a');
    expect(roomOf(receivers, 'a')).toBe(1);
    begin(receivers, 'a');
    expect(roomOf(receivers, 'a')).toBe(0);
    expect(roomOf(receivers, 'b')).toBe(2);
  });

  it.each([
    ['more to one that answers quickly', [20], 4],
    ['sixteen at most', [20, 20, 20, 20, 20, 999], 16],
    ['the same to one that is slower', [20, 5_000, 14_000], 4],
    ['one to one that did not answer', [20, 20, null], 1],
    ['more again to one that answers again', [20, 20, null, 20], 2],
  ])('gives %s', (_, answers, limit) => {
    const receivers = new Receivers();
    for (const answeredMs of answers) tried(receivers, 'a', answeredMs);
    expect(roomOf(receivers, 'a')).toBe(limit);
  });

  it('what is under way beyond a limit that fell leaves no room', () => {
    const receivers = new Receivers();
    begin(receivers, 'a', 2);
    receivers.ended('a', null);
    expect(roomOf(receivers, 'a')).toBe(0);
    receivers.ended('a', null);
    expect(roomOf(receivers, 'a')).toBe(1);
  });

  it('says at its end whether more may wait that there was no room for', () => {
    const receivers = new Receivers();
    begin(receivers, 'full', 2);
    begin(receivers, 'alone', 1);
    expect(receivers.ended('alone', 20)).toBe(false);
    expect(receivers.ended('full', 20)).toBe(true);
    expect(receivers.ended('full', 20)).toBe(true);
  });

  it('what took less than it was offered has no more', () => {
    const receivers = new Receivers();
    begin(receivers, 'a', 2);
    receivers.ended('a', 20);
    expect(begin(receivers, 'a', 2)).toEqual([]);
    expect(receivers.ended('a', 20)).toBe(false);
  });

  it('says at the beginning who may have more and has room for it', () => {
    const receivers = new Receivers();
    expect(begin(receivers, 'a', 2)).toEqual([]);
    receivers.ended('a', 20);
    receivers.ended('a', 20);
    expect(receivers.began(['a', 'a'], new Map([['a', 2]]))).toEqual(['a']);
    expect(begin(receivers, 'a', 6)).toEqual([]);
  });

  it('remembers a bounded number, and never forgets what is under way', () => {
    const receivers = new Receivers();
    begin(receivers, 'busy');
    for (let n = 0; n < 10_100; n += 1) {
      receivers.began([`r${n}`], new Map());
      receivers.ended(`r${n}`, null);
    }
    const rooms = receivers.roomsOf(['busy', ...Array.from({ length: 10_100 }, (_, n) => `r${n}`)]);
    expect([...rooms.values()].filter((room) => room === 1)).toHaveLength(10_000);
    expect([rooms.get('busy'), rooms.get('r0'), rooms.get('r10099')]).toEqual([1, FIRST_ROOM, 1]);
  });
});

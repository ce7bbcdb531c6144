import { type AnsweredMs, Receivers } from './receivers';

describe('receivers', () => {
  const freeOf = (receivers: Receivers, name: string) => receivers.freeFor([name]).get(name);
  const begin = (receivers: Receivers, name: string, count = 1) =>
    receivers.began(Array<string>(count).fill(name), receivers.freeFor([name]));
  const attempt = (receivers: Receivers, name: string, answeredMs: AnsweredMs) => {
    begin(receivers, name);
    return receivers.ended(name, answeredMs);
  };

  it('a receiver without history may have two attempts in flight', () => {
    const receivers = new Receivers();
    expect(freeOf(receivers, 'a')).toBe(2);
    begin(receivers, 'a');
    expect(freeOf(receivers, 'a')).toBe(1);
    begin(receivers, 'a');
    expect(freeOf(receivers, 'a')).toBe(0);
    expect(freeOf(receivers, 'b')).toBe(2);
  });

  it.each<[string, AnsweredMs[], number]>([
    ['more attempts to a fast receiver', [20], 4],
    ['the same number to a receiver after a failure of this service', [20, 'unknown', 'unknown'], 4],
    ['at most sixteen attempts', [20, 20, 20, 20, 20, 999], 16],
    ['the same number to a slower receiver', [20, 5_000, 14_000], 4],
    ['one attempt to a receiver that did not answer', [20, 20, null], 1],
    ['more attempts to a receiver that answers again', [20, 20, null, 20], 2],
  ])('gives %s', (_, answers, limit) => {
    const receivers = new Receivers();
    for (const answeredMs of answers) attempt(receivers, 'a', answeredMs);
    expect(freeOf(receivers, 'a')).toBe(limit);
  });

  it('attempts in flight above a reduced limit leave no room', () => {
    const receivers = new Receivers();
    begin(receivers, 'a', 2);
    receivers.ended('a', null);
    expect(freeOf(receivers, 'a')).toBe(0);
    receivers.ended('a', null);
    expect(freeOf(receivers, 'a')).toBe(1);
  });

  it('reports at the end of an attempt whether callbacks may wait for room', () => {
    const receivers = new Receivers();
    begin(receivers, 'full', 2);
    begin(receivers, 'alone', 1);
    expect(receivers.ended('alone', 20)).toBe(false);
    expect(receivers.ended('full', 20)).toBe(true);
    expect(receivers.ended('full', 20)).toBe(true);
  });

  it('a receiver that was offered no place, and has no attempt in flight, is not remembered', () => {
    const receivers = new Receivers();
    expect(receivers.began([], new Map([['a', 0]]))).toEqual([]);
    expect(receivers.began(['a'], new Map([['a', 2]]))).toEqual([]);
    expect(receivers.ended('a', 20)).toBe(false);
    expect(receivers).toMatchObject({ full: new Set() });
    receivers.began([], new Map([['b', 0]]));
    expect(receivers).toMatchObject({ full: new Set() });
  });

  it('a receiver that took less than it was offered has no more callbacks', () => {
    const receivers = new Receivers();
    begin(receivers, 'a', 2);
    receivers.ended('a', 20);
    expect(begin(receivers, 'a', 2)).toEqual([]);
    expect(receivers.ended('a', 20)).toBe(false);
  });

  it('reports at the beginning which receivers may have more and have room', () => {
    const receivers = new Receivers();
    expect(begin(receivers, 'a', 2)).toEqual([]);
    receivers.ended('a', 20);
    receivers.ended('a', 20);
    expect(receivers.began(['a', 'a'], new Map([['a', 2]]))).toEqual(['a']);
    expect(begin(receivers, 'a', 6)).toEqual([]);
  });
});

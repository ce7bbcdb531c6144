import { roomFor } from './work';

describe('how much work is handed out', () => {
  it.each([
    ['nothing runs: one message waits for the first worker', { untaken: 0, held: 0, asking: 0 }, 1],
    ['nothing runs, and one waits', { untaken: 1, held: 0, asking: 0 }, 0],
    ['an idle worker requests work', { untaken: 0, held: 0, asking: 1 }, 1],
    ['a busy worker requests nothing', { untaken: 0, held: 3, asking: 0 }, 0],
    ['a worker has room for one more', { untaken: 0, held: 2, asking: 1 }, 1],
    ['its message is on the way', { untaken: 1, held: 2, asking: 1 }, 0],
    ['two of eight workers request work', { untaken: 0, held: 22, asking: 2 }, 10],
    ['failed deliveries wait for their next one', { untaken: 0, held: 10_000, asking: 2 }, 64],
    ['a message comes back and is not taken yet', { untaken: 3, held: 1, asking: 1 }, 0],
  ])('%s', (_, demand, room) => {
    expect(roomFor('tire.tread', demand)).toBe(room);
  });

  it('a fetcher gets as many as it has places', () => {
    expect(roomFor('fetch', { untaken: 4, held: 0, asking: 1 })).toBe(28);
  });
});

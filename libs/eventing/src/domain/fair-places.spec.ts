import { FairPlaces } from './fair-places';

/** Calls that end when the test says so. */
function started(places: number) {
  const fair = new FairPlaces(places);
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const call = (key: string) =>
    fair.run(key, () => {
      order.push(key);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const endNext = async () => {
    ends.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { order, call, endNext };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('fair places', () => {
  it('give the next place to the key with the fewest, and then take turns', async () => {
    const { order, call, endNext } = started(2);
    for (let count = 0; count < 6; count += 1) void call('much');
    await settled();
    void call('one');
    void call('other');
    void call('other');
    for (let count = 0; count < 7; count += 1) await endNext();
    expect(order).toEqual(['much', 'much', 'one', 'much', 'other', 'much', 'other', 'much', 'much']);
  });

  it('give the place of a failed call to the next', async () => {
    const fair = new FairPlaces(1);
    const failed = fair.run('a', () => Promise.reject(new Error('failed')));
    const next = fair.run('b', () => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });
});

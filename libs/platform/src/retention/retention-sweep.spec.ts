import type { RetentionKind } from '@tire/kernel';
import { logger } from '../logs/logger';
import { RetentionSweep, type Ending } from './retention-sweep';

const CLOCK = { now: () => new Date('2026-11-20T10:00:00Z') };

/** Removes ten in each portion; the order of portions is noted. */
function ending(kind: RetentionKind, count: number, order: string[], lagS = 0): Ending {
  let left = count;
  return {
    kind,
    removeSome: async () => {
      if (left < 0) throw new Error('away');
      const removed = Math.min(left, 10);
      left -= removed;
      if (removed > 0) order.push(kind);
      return removed;
    },
    lagS: async () => lagS,
  };
}

const sweepOf = (endings: readonly Ending[], besides?: () => Promise<void>) =>
  new RetentionSweep(endings, 1_000, CLOCK, logger('test'), besides);

describe('a sweep', () => {
  it('removes all of every kind, which take turns', async () => {
    const order: string[] = [];
    await sweepOf([ending('reports', 1_000, order), ending('usage', 15, order)]).sweep();
    expect([order.length, order.indexOf('usage'), order.lastIndexOf('reports')]).toEqual([102, 20, 101]);
  });

  it('goes on with the other kinds where one fails, and where what is no choice fails', async () => {
    const order: string[] = [];
    await sweepOf([ending('reports', -1, order), ending('usage', 5, order)], () => Promise.reject(new Error('away'))).sweep();
    expect(order).toEqual(['usage']);
  });

  it('begins nothing more after it was stopped', async () => {
    const order: string[] = [];
    const sweep = sweepOf([ending('reports', 100, order)]);
    await sweep.stop();
    await sweep.sweep();
    expect(order).toEqual([]);
  });

  it('tells the longest lag of each kind', async () => {
    const sweep = sweepOf([ending('usage', 0, [], 5), ending('usage', 0, [], 70), ending('reports', 0, [])]);
    expect([...(await sweep.lag())]).toEqual([
      ['usage', 70],
      ['reports', 0],
    ]);
  });
});

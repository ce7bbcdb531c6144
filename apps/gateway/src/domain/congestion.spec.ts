import { calm, isCongested, sampled } from './congestion';

describe('congestion of the event loop', () => {
  it.each<[string, number[], boolean]>([
    ['nothing is measured yet', [], false],
    ['it is on time', [0, 3, 100, 0], false],
    ['it was late once, by any time', [0, 60_000], false],
    ['it was late twice', [0, 101, 400], false],
    ['it is late each time', [0, 101, 400, 200], true],
    ['it has been late for a long time', Array.from({ length: 1_000 }, () => 101), true],
    ['it was on time in between', [101, 101, 100, 101, 101], false],
    ['it has recovered', [500, 500, 500, 500, 0], false],
  ])('%s', (_, lagsMs, congested) => {
    expect(isCongested(lagsMs.reduce((state, lagMs) => sampled(state, lagMs, 100), calm))).toBe(congested);
  });
});

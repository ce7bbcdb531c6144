import { drawn, four, thresholds } from './drawn-tread.fixture';
import { depthOf, intervalOf, widening } from './depth-interval';
import { measureTread, type TreadThresholds } from './measure-tread';
import type { TreadMaps } from './tread-maps';

const whole = { left: 0, top: 0, width: 1, height: 1 };
const withInterval = (below: number, above: number) => drawn({ interval: [below, above] });

function measured(maps: TreadMaps, changes: Partial<TreadThresholds> = {}) {
  const { measurement } = measureTread(maps, whole, { ...thresholds, ...changes });
  if (!measurement) throw new Error('not measured');
  return measurement;
}
const intervals = (maps: TreadMaps, changes: Partial<TreadThresholds> = {}) =>
  measured(maps, changes).individualDepthInterval.map(({ lowMm, highMm }) => [lowMm, highMm]);

describe('the interval of a depth', () => {
  it('is that of the network, in the order of the grooves, at each mask too', () => {
    const measurement = measured(withInterval(0.5, 1));
    expect(measurement.individualDepthInterval).toEqual(four.map(({ depthMm }) => ({ lowMm: depthMm - 0.5, highMm: depthMm + 1 })));
    expect(measurement.grooveMasks.map(({ depthInterval }) => depthInterval)).toEqual(measurement.individualDepthInterval);
    const reversed = measured({ ...withInterval(0.5, 1), side: [0.1, 0.1, 0.8] });
    expect(reversed.individualDepthInterval).toEqual([...measurement.individualDepthInterval].reverse());
  });

  it('is that of the most certain pixels', () => {
    const maps = withInterval(0.5, 1);
    maps.groove.data.forEach((inside, i) => {
      if (inside !== 1 || i % 3 === 0) return;
      maps.depthLow!.data[i] = 0;
      maps.spread.data[i] = 2;
    });
    expect(intervals(maps)[3]).toEqual([5.5, 7]);
  });

  it.each<[string, Partial<TreadThresholds>, [number, number]]>([
    ['the line of a gauge', { depthScale: 2, depthOffsetMm: -1 }, [2, 5]],
    ['its own scales', { intervalLowScale: 0.5, intervalHighScale: 2 }, [1.75, 4]],
    ['an offset', { intervalOffsetMm: 0.2 }, [1.3, 3.2]],
    ['an upper end that is raised from a depth on', { intervalHighFromMm: 1.5, intervalHighSlope: 0.8 }, [1.5, 3.4]],
    ['an upper end that is raised from a deeper depth on', { intervalHighFromMm: 2, intervalHighSlope: 0.8 }, [1.5, 3]],
    ['an offset that would turn it round', { intervalOffsetMm: -3 }, [2, 2]],
  ])('moves with %s', (_, changes, interval) => {
    expect(intervals(withInterval(0.5, 1), changes)[0]).toEqual(interval);
  });

  it('of the aggregate is that of the middle grooves', () => {
    expect(measured(withInterval(0.5, 1))).toMatchObject({
      aggregatedRemainingDepthMm: 3.75,
      aggregatedDepthInterval: { lowMm: 3.25, highMm: 4.75 },
    });
    const three = drawn({ interval: [0.5, 1], grooves: four.slice(0, 3) });
    expect(measured(three).aggregatedDepthInterval).toEqual({ lowMm: 2.5, highMm: 4 });
  });

  it('does not exist where the network has none', () => {
    const { individualDepthInterval, aggregatedDepthInterval, grooveMasks, baldZones } = measured(drawn());
    expect([individualDepthInterval, aggregatedDepthInterval, baldZones]).toEqual([[], undefined, undefined]);
    expect(grooveMasks[0]!.depthInterval).toBeUndefined();
  });

  it('is wider where the image is less like the training data, and no more than twice as wide', () => {
    const sure = measured(withInterval(0.5, 1)).quality!.confidence!;
    expect(intervals(withInterval(0.5, 1), { intervalSureConfidence: sure })[0]).toEqual([1.5, 3]);
    expect(intervals(withInterval(0.5, 1), { intervalSureConfidence: 1.5 * sure })[0]).toEqual([1.25, 3.5]);
    expect(widening(0.01, { ...thresholds, intervalSureConfidence: 0.5 })).toBe(2);
    expect(widening(0.9, { ...thresholds, intervalSureConfidence: 0.5 })).toBe(1);
  });

  it('always contains the depth, whatever the network gives', () => {
    for (const [low, high] of [
      [3, 1],
      [5, 6],
      [0, 0.5],
      [-2, -1],
      [2, 2],
    ] as const)
      for (const scale of [0, 0.7, 1.3])
        for (const offset of [-1, 0, 0.4]) {
          const calibration = { ...thresholds, intervalLowScale: scale, intervalHighScale: scale, intervalOffsetMm: offset };
          const depthMm = depthOf(2, calibration);
          const { lowMm, highMm } = intervalOf(depthMm, [low, high], 1.3, calibration);
          expect(0 <= lowMm && lowMm <= depthMm && depthMm <= highMm).toBe(true);
        }
  });
});

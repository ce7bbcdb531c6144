import type { Point } from '../field';
import { drawn, four, thresholds, type Scene } from './drawn-tread.fixture';
import { measureTread, type TreadThresholds, type View } from './measure-tread';
import type { TreadMaps } from './tread-maps';

const whole: View = { left: 0, top: 0, width: 1, height: 1 };
const leftShoulder = (lateral: number) => lateral < -0.7;

function zonesOf(maps: TreadMaps, changes: Partial<TreadThresholds> = {}, view = whole) {
  const { measurement } = measureTread(maps, view, { ...thresholds, ...changes });
  if (!measurement?.baldZones) throw new Error('no bald zones');
  return measurement.baldZones;
}
const spansOf = (maps: TreadMaps, changes?: Partial<TreadThresholds>) =>
  zonesOf(maps, changes).zones.map(({ place, fromShare, toShare }) => [place, fromShare, toShare]);
const bald = (is: (lateral: number) => boolean, scene: Scene = {}) => drawn({ bald: is, ...scene });

const boundsOf = (polygon: readonly Point[]) => {
  const [xs, ys] = [polygon.map(({ x }) => x), polygon.map(({ y }) => y)];
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)] as const;
};

describe('bald zones', () => {
  it('are measured where there are none', () => {
    expect(zonesOf(bald(() => false))).toEqual({ shareOfWidth: 0, zones: [], wornSmooth: false });
  });

  it.each<[string, (lateral: number) => boolean, [string, number, number][]]>([
    ['the left shoulder', leftShoulder, [['first_shoulder', 0, 0.15]]],
    ['the right shoulder', (lateral) => lateral > 0.7, [['last_shoulder', 0.85, 1]]],
    ['the centre', (lateral) => Math.abs(lateral) < 0.3, [['center', 0.35, 0.65]]],
    ['everything', () => true, [['whole', 0, 1]]],
    [
      'both shoulders',
      (lateral) => Math.abs(lateral) > 0.7,
      [
        ['first_shoulder', 0, 0.15],
        ['last_shoulder', 0.85, 1],
      ],
    ],
    ['a sliver', (lateral) => lateral < -0.9, []],
    [
      'two parts with a thin line between them',
      (lateral) => lateral < -0.4 && Math.abs(lateral + 0.675) > 0.02,
      [['first_shoulder', 0, 0.3]],
    ],
  ])('%s: have their place, the others keep their pattern', (_, is, spans) => {
    expect(spansOf(bald(is))).toEqual(spans);
    expect(zonesOf(bald(is)).shareOfWidth).toBeCloseTo(
      spans.reduce((sum, [, from, to]) => sum + to - from, 0),
      3,
    );
  });

  it('need most of the tread at a lateral position', () => {
    const maps = bald(leftShoulder);
    const half = (rows: number) => maps.bald!.data.forEach((_, i) => Math.floor(i / 240) < rows && (maps.bald!.data[i] = 0));
    half(90);
    expect(spansOf(maps)).toHaveLength(1);
    half(110);
    expect(spansOf(maps)).toEqual([]);
  });

  it.each<[string, [number, number, number], string]>([
    ['the outside on the left', [0.1, 0.8, 0.1], 'first_shoulder'],
    ['the outside on the right', [0.1, 0.1, 0.8], 'last_shoulder'],
    ['no outside', [0.9, 0.05, 0.05], 'first_shoulder'],
  ])('have the order of the grooves with %s', (_, side, place) => {
    const [zone] = zonesOf({ ...bald(leftShoulder), side }).zones;
    expect([zone!.place, zone!.toShare - zone!.fromShare]).toEqual([place, expect.closeTo(0.15, 5)]);
    expect(boundsOf(zone!.polygonXyNorm)[1] * 240).toBeLessThan(70);
    const both = zonesOf({ ...bald((lateral) => Math.abs(lateral) > 0.7), side }).zones.map(({ place: one }) => one);
    expect(both).toEqual(['first_shoulder', 'last_shoulder']);
  });

  it('are polygons on the tread in the unrotated image', () => {
    const [left, right, top, bottom] = boundsOf(zonesOf(bald(leftShoulder)).zones[0]!.polygonXyNorm);
    expect(Math.abs(left * 240 - 40)).toBeLessThan(3);
    expect(Math.abs(right * 240 - 64)).toBeLessThan(3);
    expect([top < 0.02, bottom > 0.98]).toEqual([true, true]);
    const part = zonesOf(bald(leftShoulder), {}, { left: 0.5, top: 0.25, width: 0.5, height: 0.5 }).zones[0]!.polygonXyNorm;
    expect(boundsOf(part)[0]).toBeCloseTo(0.5 + left / 2, 3);
  });

  it.each([0, 35, -60, 90, 179])('stay at their shoulder at a tilt of %i degrees, whichever end is up', (tiltDeg) => {
    const maps = bald(leftShoulder, { tiltDeg, width: 300, height: 300 });
    const { measurement } = measureTread(maps, whole, thresholds);
    const turnedBy180 = {
      ...maps,
      lateral: { ...maps.lateral, data: maps.lateral.data.map((value) => -value) },
      rotationRad: maps.rotationRad - Math.PI,
    };
    const other = measureTread(turnedBy180, whole, thresholds).measurement;
    expect(other!.baldZones).toEqual(measurement!.baldZones);
    const [first, depths] = [measurement!.baldZones!.zones[0]!, measurement!.individualRemainingDepthMm];
    expect(first.place).toBe(depths[0] === four[0]!.depthMm ? 'first_shoulder' : 'last_shoulder');
    const middle = boundsOf(first.polygonXyNorm);
    const groove = boundsOf(measurement!.grooveMasks[first.place === 'first_shoulder' ? 0 : 3]!.polygonXyNorm);
    expect(Math.hypot(middle[0] + middle[1] - groove[0] - groove[1], middle[2] + middle[3] - groove[2] - groove[3]) * 150).toBeLessThan(30);
  });

  it('leave the grooves in them as they are', () => {
    const { measurement } = measureTread(
      bald(() => true),
      whole,
      thresholds,
    );
    expect(measurement).toMatchObject({ individualRemainingDepthMm: [2, 3, 4.5, 6], baldZones: { wornSmooth: false, shareOfWidth: 1 } });
  });
});

describe('a tread that is worn smooth', () => {
  const smooth = (changes: Partial<TreadMaps> = {}, scene: Scene = {}) =>
    measureTread({ ...bald(() => true, { grooves: [], ...scene }), ...changes }, whole, thresholds);

  it('is a result without depths', () => {
    const { measurement, reasons } = smooth();
    expect(reasons).toEqual([]);
    expect(measurement).toMatchObject({
      quality: { recognized: true, confidence: 0.9 },
      individualRemainingDepthMm: [],
      individualDepthInterval: [],
      grooveMasks: [],
      vehicleSide: 'unknown',
      baldZones: { shareOfWidth: 1, wornSmooth: true, zones: [{ place: 'whole', fromShare: 0, toShare: 1 }] },
    });
    expect([measurement!.aggregatedRemainingDepthMm, measurement!.estimatedLifetimeKm]).toEqual([undefined, undefined]);
    expect(measurement!.baldZones!.zones[0]!.polygonXyNorm.length).toBeGreaterThan(3);
  });

  it.each<[string, Partial<TreadMaps>, Scene, string[]]>([
    ['it may be no tread', { isTread: 0.9 }, {}, ['not_a_tread']],
    ['it is dark', { brightness: 0.05 }, {}, ['too_dark', 'not_a_tread']],
    ['it is rather dark', { brightness: 0.15 }, {}, ['not_a_tread']],
    ['it is blurred', { blurPx: 4 }, {}, ['blurred', 'not_a_tread']],
    ['it is small', {}, { half: 15 }, ['not_a_tread']],
    ['half of it has its pattern', {}, { bald: (lateral) => lateral < 0 }, ['not_a_tread']],
    ['the network has no map of bald zones', { bald: undefined }, {}, ['not_a_tread']],
  ])('is refused where %s', (_, changes, scene, reasons) => {
    expect(smooth(changes, scene)).toEqual({ measurement: undefined, reasons });
  });
});

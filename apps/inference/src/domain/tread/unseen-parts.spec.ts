import { columns, type Field } from '../field';
import { drawn, four, GROOVE_HALF_PX, thresholds, type Scene } from './drawn-tread.fixture';
import { measureTread, type TreadThresholds, type View } from './measure-tread';
import type { TreadMaps } from './tread-maps';

const whole: View = { left: 0, top: 0, width: 1, height: 1 };

function partsOf(maps: TreadMaps, view = whole, changes: Partial<TreadThresholds> = {}) {
  const { measurement } = measureTread(maps, view, { ...thresholds, ...changes });
  if (!measurement?.unseen) throw new Error('not judged');
  return measurement.unseen.parts.map(({ place, reason }) => `${place} ${reason}`);
}

/** The columns of an image from `left` on: its tread goes beyond the image there. */
function cut(maps: TreadMaps, left: number): TreadMaps {
  const part = (field: Field) => columns(field, left, field.width - left);
  const { tread, groove, depth, spread, lateral } = maps;
  return { ...maps, tread: part(tread), groove: part(groove), depth: part(depth), spread: part(spread), lateral: part(lateral) };
}

/** Draws a line of the map at a lateral position, along a share of the tread only. */
function withLine(maps: TreadMaps, at: number, share: number, probability = 0.9): TreadMaps {
  const { width, height, data } = maps.groove;
  for (let y = 0; y < height; y++) {
    if (y / height >= share) break;
    for (let d = -GROOVE_HALF_PX; d <= GROOVE_HALF_PX; d++) data[y * width + Math.round((width - 1) / 2 + at * 80) + d] = probability;
  }
  return maps;
}

const three: Scene = { grooves: four.slice(0, 3) };
const outer: [number, number, number] = [0.1, 0.1, 0.8];

describe('parts of a tread that were not seen', () => {
  it.each([0, 35, -60, 90])('are none where both edges are in the image and the grooves are near each other, at %i degrees', (tiltDeg) => {
    expect(partsOf(drawn({ tiltDeg, width: 300, height: 300 }))).toEqual([]);
  });

  it('are an edge that lies outside of the image, and such an image should be taken again', () => {
    const maps = cut(drawn(), 50);
    expect(partsOf(maps)).toEqual(['first_shoulder outside_image']);
    expect(measureTread(maps, whole, thresholds).reasons).toEqual(['tread_cut_off']);
    expect(measureTread(drawn(), whole, thresholds).reasons).toEqual([]);
    expect(partsOf(drawn({ half: 130 }))).toEqual(['first_shoulder outside_image', 'last_shoulder outside_image']);
  });

  it('are no edge that is outside in a small share of the rows only', () => {
    const maps = drawn();
    for (let y = 0; y < 60; y++) for (let x = 0; x < 60; x++) maps.tread.data[y * 240 + x] = 1;
    expect(partsOf(maps)).toEqual([]);
    expect(partsOf(maps, whole, { maxCutShare: 0.2 })).toEqual(['first_shoulder outside_image']);
  });

  it('are judged by the border of the image, not by that of a close-up of it', () => {
    const maps = cut(drawn(), 50);
    expect(partsOf(maps, { left: 0.2, top: 0.2, width: 0.6, height: 0.6 })).toEqual([]);
    expect(partsOf(maps, { left: 0, top: 0.2, width: 0.6, height: 0.6 })).toEqual(['first_shoulder outside_image']);
  });

  it.each<[string, number[], string[]]>([
    ['at the right edge', [-0.6, -0.2], ['last_shoulder groove_unclear']],
    ['in the middle', [-0.6, 0.6], ['center groove_unclear']],
    ['on both sides of a single groove', [0], ['first_shoulder groove_unclear', 'last_shoulder groove_unclear']],
    ['nowhere', [-0.5, 0, 0.5], []],
  ])('are a wide part without a groove: %s', (_, places, parts) => {
    const grooves = places.map((at) => ({ at, depthMm: 6 }));
    expect(partsOf(drawn({ grooves }))).toEqual(parts);
  });

  it.each<[string, number, number, string[]]>([
    ['short', 0.6, 0.25, ['last_shoulder groove_unclear']],
    ['much of a speck', 0.6, 0.05, []],
    ['near to another one', 0.28, 0.25, []],
  ])('are a line that is too %s to be a groove', (_, at, share, parts) => {
    const maps = withLine(drawn(three), at, share);
    expect(measureTread(maps, whole, thresholds).measurement!.grooveMasks).toHaveLength(3);
    expect(partsOf(maps)).toEqual(parts);
  });

  it('are none where the tread was seen to be bald', () => {
    const scene = { grooves: four.slice(0, 2) };
    expect(partsOf(drawn({ ...scene, bald: () => false }))).toEqual(['last_shoulder groove_unclear']);
    expect(partsOf(drawn({ ...scene, bald: (lateral) => lateral > 0 }))).toEqual([]);
  });

  it('have the order of the grooves', () => {
    const maps = { ...withLine(drawn(three), 0.6, 0.25), side: outer };
    expect(partsOf(maps)).toEqual(['first_shoulder groove_unclear']);
    expect(partsOf({ ...cut(drawn(), 50), side: outer })).toEqual(['last_shoulder outside_image']);
  });

  it('are the same whichever end of the tread is up', () => {
    const scene = { tiltDeg: 90, width: 300, height: 300, grooves: four.slice(0, 2) };
    const maps = drawn(scene);
    const halfATurnOn = {
      ...maps,
      lateral: { ...maps.lateral, data: maps.lateral.data.map((value) => -value) },
      rotationRad: maps.rotationRad - Math.PI,
    };
    expect(partsOf(maps)).toHaveLength(1);
    expect(partsOf(halfATurnOn)).toEqual(partsOf(maps));
  });

  it('are not judged where no groove was found', () => {
    const maps = drawn({ grooves: [], bald: () => true });
    const { measurement } = measureTread(maps, whole, thresholds);
    expect([measurement!.baldZones!.wornSmooth, measurement!.unseen]).toEqual([true, undefined]);
  });
});

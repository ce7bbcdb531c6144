import { emptyField, type Field } from '../../field';
import { LineReader } from './line-reader';
import { parseSizeTable } from '../size/size-decoder';

const characters = [...'0123456789/RZFCLT. '];
const reader = new LineReader(parseSizeTable('w,a,r\n225,70,19\n225,45,17\n205,55,16\n205,65,16\n205,65,15\n'), characters);

function framesOf(text: string, certainty = 0.98, rivals: Record<number, string> = {}): Field {
  const frames = emptyField(characters.length + 1, 2 * text.length);
  frames.data.fill(0.001);
  [...text].forEach((character, i) => {
    frames.data[2 * i * frames.width + characters.indexOf(character) + 1] = certainty;
    if (rivals[i]) frames.data[2 * i * frames.width + characters.indexOf(rivals[i]) + 1] = 0.6 * certainty;
    frames.data[(2 * i + 1) * frames.width] = 0.98;
  });
  return frames;
}

const sizesIn = (frames: Field) => reader.read(frames).readings.filter(({ logLikelihood }) => logLikelihood > -1).length;

it.each<[string, number, string | undefined]>([
  ['225/45R17', 1, undefined],
  ['225/70R19', 1, undefined],
  // These contain a car's size as a prefix.
  ['225/70R19.5', 0, 'truck'],
  ['12R22.5', 0, 'truck'],
])('%s', (text, sizes, kind) => {
  expect([sizesIn(framesOf(text)), reader.read(framesOf(text)).other?.kind]).toEqual([sizes, kind]);
});

it("resolves an ambiguous digit to an existing car size, not to a motorcycle's", () => {
  const { readings, other } = reader.read(framesOf('200/55R16', 0.98, { 2: '5' }));
  expect([readings[0]!.size.sectionWidthMm, other]).toEqual([205, undefined]);
  expect(reader.read(framesOf('200/55R16'))).toMatchObject({ readings: [], other: { kind: 'motorcycle' } });
});

it("ignores another vehicle's size of low certainty", () => {
  expect(reader.read(framesOf('225/70R19.5', 0.9)).other).toBeUndefined();
});

describe('the load index behind a size', () => {
  const likelihoodOf = (text: string, certainty?: number) => reader.read(framesOf(text, certainty)).readings[0]!.logLikelihood;

  it.each(['205/55R16', '205/55R16 91', '205/55R16 94', '205/55R16 7'])('%s: costs nothing', (text) => {
    expect(likelihoodOf(text)).toBeGreaterThan(-0.3);
  });

  it('205/65R16 91: costs a size with a higher usual load', () => {
    expect(likelihoodOf('205/65R16 91')).toBeLessThan(-0.7);
  });

  it.each([
    ['205/65R16', 89, '5', 55],
    ['205/55R16', 97, '6', 65],
  ])('%s %d: counts for the size that it fits, although another one is a little likelier without it', (text, loadIndex, rival, aspect) => {
    const likeliest = (line: string) => reader.read(framesOf(line, 0.98, { 4: rival })).readings[0]!;
    expect(likeliest(text).size.aspectRatioPercent).not.toBe(aspect);
    const { size, logLikelihood } = likeliest(`${text} ${loadIndex}`);
    expect(size.aspectRatioPercent).toBe(aspect);
    expect(logLikelihood).toBeGreaterThan(-0.1);
  });

  it('costs little where it fits badly and no other size is likely', () => {
    const readings = (text: string) => reader.read(framesOf(text)).readings;
    const [first, second] = readings('205/55R16 95');
    expect([first!.size.aspectRatioPercent, first!.logLikelihood - second!.logLikelihood > 3]).toEqual([55, true]);
    expect(first!.logLikelihood).toBeGreaterThan(-0.15);
  });

  it('costs sizes with another rim, too', () => {
    const { readings } = reader.read(framesOf('205/65R16 91'));
    expect(readings[0]!.size).toEqual({ sectionWidthMm: 205, aspectRatioPercent: 65, rimDiameterInch: 16 });
  });

  it('costs in proportion to its certainty', () => {
    expect(likelihoodOf('205/65R16 91', 0.6)).toBeGreaterThan(likelihoodOf('205/65R16 91') + 0.3);
  });

  it.each(['205/65R16C 107', '205/65R16 C 107', '205/65R16 107/105T', 'LT205/65R16 107'])('%s: may be higher on a van', (text) => {
    expect(likelihoodOf(text)).toBeGreaterThan(-0.3);
  });
});

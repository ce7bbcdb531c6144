import type { Field } from '../../field';
import { parseSizeTable, SizeDecoder } from './size-decoder';
import { elect } from './votes';

const listed = parseSizeTable('section_width,aspect_ratio,rim_diameter,kr_common\n225,45,17,1\n225,55,17,0\n205,55,16,0\n');
const table = listed.map(({ size }) => size);
const characters = [...'0123456789/RZFGSDOTPLX. '];
const decoder = new SizeDecoder(listed, characters);
/** All characters, with some that look like those of a size. */
const LETTERS = [...characters, ...'KlI'];
const withLetters = new SizeDecoder(listed, LETTERS);

/** The output of a sure recognizer: two frames a character and a blank between; `doubt` is the probability of the rival in each frame. */
function framesOf(text: string, rivals: Record<number, string> = {}, doubt = 0.4, known = characters, frames = 2): Field {
  const width = known.length + 1;
  const rows: number[][] = [];
  [...text].forEach((character, i) => {
    for (const blank of [true, ...Array.from({ length: frames }, () => false)]) {
      const row = new Array<number>(width).fill(0.0001);
      const rival = rivals[i];
      if (blank) row[0] = 0.99;
      else row[known.indexOf(character) + 1] = rival ? 1 - doubt : 0.99;
      if (!blank && rival) row[known.indexOf(rival) + 1] = doubt;
      rows.push(row);
    }
  });
  return { width, height: rows.length, data: Float32Array.from(rows.flat()) };
}

const decodedText = (frames: Field) => {
  const size = elect([decoder.read(frames)], 0.5)?.size;
  return size && `${size.sectionWidthMm}/${size.aspectRatioPercent}R${size.rimDiameterInch}`;
};

describe('decoding a size from frames', () => {
  it.each([
    '225/45R17',
    '225/45 R 17',
    '225/45ZR17',
    '225/45RF17',
    '225/45ZRF17',
    'P225/45R17',
    'LT225/45R17',
    'DOT 225/45R17 91',
    '225/45ZR17 94 XL',
    '0225/45R1700',
  ])('finds it in "%s"', (text) => {
    expect(decodedText(framesOf(text))).toBe('225/45R17');
  });

  it.each([
    ['22545R17', 0.031],
    ['22S/45R17', 0.5],
    ['2P5/45R17', 0.87],
    ['22S/4SR17', 0.25],
    ['225/45Rl7', 0.5],
    ['225/45K17', 0.5],
    ['2Z5/45R17', 0.012],
  ])('costs "%s" as counted: %f', (text, share) => {
    const [reading] = withLetters.read(framesOf(text, {}, 0.4, LETTERS));
    expect(reading!.size).toBe(table[0]);
    expect(reading!.logLikelihood).toBeCloseTo(Math.log(share), 1);
  });

  it.each(['226/45R17', '225745R17', '225145R17'])('never replaces a digit by another one or by the stroke: "%s"', (text) => {
    const [reading] = withLetters.read(framesOf(text, {}, 0.4, LETTERS));
    expect(reading!.logLikelihood).toBeLessThan(-6);
  });

  it('misses the stroke between equal digits, but neither digit', () => {
    const likelihoodOf = (text: string) => decoder.read(framesOf(text)).find(({ size }) => size === table[1])!.logLikelihood;
    expect(likelihoodOf('22555R17')).toBeCloseTo(Math.log(0.031), 1);
    expect(likelihoodOf('2255R17')).toBeLessThan(-6);
  });

  it('counts a character over several frames once', () => {
    const doubt = { 4: '5' };
    const [short, long] = [framesOf('225/45R17', doubt, 0.45), framesOf('225/45R17', doubt, 0.45, characters, 5)].map(
      (frames) => decoder.read(frames).find(({ size }) => size === table[1])!.logLikelihood,
    );
    expect(long).toBeCloseTo(short!, 6);
  });

  it('prefers an existing size where the recognizer is uncertain', () => {
    expect(decodedText(framesOf('22S/45R17', { 2: '5' }, 0.45))).toBe('225/45R17');
  });

  it.each(['', 'DOT 5512', '225/45', '225/4', '235/45R17', '205/45R17', '225/45D17', '25/45R17', '225R17', '22.5/45R17'])(
    'finds none in "%s"',
    (text) => {
      expect(decodedText(framesOf(text))).toBeUndefined();
    },
  );

  it('elects none of two equally likely sizes', () => {
    expect(decodedText(framesOf('225/45R17', { 4: '5' }, 0.5))).toBeUndefined();
  });
});

it('scores each spelling as if it were alone: shared prefixes change nothing', () => {
  const frames = framesOf('225/55R16', { 4: '4', 8: '7' }, 0.3);
  const together = new Map(decoder.read(frames).map(({ size, logLikelihood }) => [size, logLikelihood]));
  for (const [size, logLikelihood] of together) {
    expect(new SizeDecoder([{ size, isCommon: false }], characters).read(frames)[0]!.logLikelihood).toBeCloseTo(logLikelihood, 9);
  }
});

it('refuses an invalid table', () => {
  expect(() => parseSizeTable('a,b,c\n225,x,17\n')).toThrow(/not a size/);
});

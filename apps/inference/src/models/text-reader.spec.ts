import { emptyField, type Field } from '../domain/field';
import type { LineReading } from '../domain/sidewall/text/line-reader';
import { plainOf, textViewOf } from '../domain/sidewall/text/text-view';
import { TextReader } from './text-reader';

const SIZE = { sectionWidthMm: 225, aspectRatioPercent: 45, rimDiameterInch: 17 };
/** Results of the recognizer: nothing legible, text without a size, or a size of this likelihood. */
const nothing: LineReading = { readings: [], decodedText: { text: '', certainty: [] }, other: undefined };
const brand: LineReading = { ...nothing, decodedText: { text: 'CONTINENTAL', certainty: new Array<number>(11).fill(0.99) } };
const size = (logLikelihood: number): LineReading => ({ ...nothing, readings: [{ size: SIZE, logLikelihood }] });

const WIDTH = 400;
const TEXT = 200;

/** Bars of text on a dark field, one below the other; a brighter bar promises a size more. Each bar begins darker than it ends. */
function bars(promises: readonly number[], width: number): Field {
  const field = emptyField(width, 24 * Math.max(1, promises.length));
  promises.forEach((promise, i) => {
    for (let y = 24 * i + 8; y < 24 * i + 16; y++)
      for (let x = 60; x < width - 60; x++) field.data[y * width + x] = TEXT + promise * 50 - (x < 120 ? 20 : 0);
  });
  return field;
}

const USUAL = { max_texts: 16, width: WIDTH, runs: 99, texts: 16, turnedTexts: 4 };

/** The detector takes bars for text; the recognizer returns the given readings in turn. */
async function scanned(promises: readonly number[], says: readonly LineReading[], options: Partial<typeof USUAL> = {}) {
  const { max_texts, width, runs, texts, turnedTexts } = { ...USUAL, ...options };
  const shade = ({ width, height, data }: Field, of: (value: number) => number): Field => ({ width, height, data: data.map(of) });
  const crops: Field[] = [];
  const detector = {
    runGrey: (image: Field) =>
      Promise.resolve([
        shade(image, (value) => (value >= TEXT / 2 ? 1 : 0)),
        shade(image, (value) => Math.max(0, (Math.round(value) - TEXT) / 50)),
      ]),
  };
  const recognizer = {
    runGrey: (image: Field) => {
      crops.push(image);
      return Promise.resolve([emptyField(1, 1)]);
    },
  };
  const reader = { read: () => says[crops.length - 1] ?? nothing };
  const limits = { tile_length_px: 640, text_probability: 0.4, min_text_height_px: 4, max_texts };
  const view = bars(promises, width);
  const budget = { runs };
  const textReader = new TextReader(detector, recognizer, reader, limits);
  const pass = await textReader.read(textViewOf(plainOf(view), 1, 12), view, view, { budget, texts, turnedTexts });
  const boxes = [...new Set(pass.lines.map(({ box }) => box))];
  const looksAt = (bar: number) => pass.lines.filter(({ box }) => Math.floor(box.y / 24) === bar);
  return { ...pass, crops, boxes, looksAt, runsLeft: budget.runs };
}

it('reads the most promising places up to the limit, and a likely size with all crop options', async () => {
  const { looksAt, lines } = await scanned([0.1, 0.9, 0.3, 0.5, 0.7, 0.2], [brand, size(0)], { max_texts: 5 });
  expect([0, 1, 2, 3, 4, 5].map((bar) => looksAt(bar).length)).toEqual([0, 1, 1, 1, 4, 1]);
  expect(looksAt(4).every(({ box }, _, all) => box === all[0]!.box)).toBe(true);
  expect(lines[0]!.decodedText.text).toBe('CONTINENTAL');
});

it('reads only places again that are nearly as likely as the best', async () => {
  const { looksAt } = await scanned([0.9, 0.8, 0.7], [size(-1), size(-3.5), size(-5)]);
  expect([0, 1, 2].map((bar) => looksAt(bar).length)).toEqual([4, 4, 1]);
});

it('reads the texts behind the sixth only where none of the first six is likely a size', async () => {
  const promises = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2];
  expect((await scanned(promises, [brand, size(-0.5)])).boxes).toHaveLength(6);
  expect((await scanned(promises, [brand, size(-1.5)])).boxes).toHaveLength(8);
});

it('reads only as many texts of the view as it may', async () => {
  const { looksAt, lines } = await scanned([0.4, 0.9, 0.6], [], { texts: 2, turnedTexts: 0 });
  expect([0, 1, 2].map((bar) => looksAt(bar).length)).toEqual([0, 1, 1]);
  expect(lines).toHaveLength(2);
});

describe('the budget', () => {
  const promises = [0.9, 0.8, 0.7];
  it.each([
    ['in the first readings', 2, []],
    ['in the other crops', 5, [size(0)]],
    ['upside down', 4, []],
  ])('ends the readings %s', async (_, runs, says) => {
    const { crops, lines, runsLeft } = await scanned(promises, says, { runs });
    expect([crops.length, lines.length, runsLeft]).toEqual([runs, runs, 0]);
  });

  it('is charged for what is read, and the pass has the runs of both networks', async () => {
    const { runsLeft, detections, recognitions, crops } = await scanned(promises, [size(0)], { width: 1700 });
    expect([recognitions, 99 - runsLeft, detections]).toEqual([crops.length, crops.length, 3]);
    expect(crops).toHaveLength(6);
  });
});

describe('where no size is clear', () => {
  it('reads promising and illegible places upside down, as separate texts', async () => {
    const { looksAt, boxes } = await scanned([0.9, 0.4, 0.3], [brand, nothing, brand]);
    expect([0, 1, 2].map((bar) => looksAt(bar).length)).toEqual([2, 2, 1]);
    expect(boxes).toHaveLength(5);
  });

  it('reads them with all crop options where a size is likely', async () => {
    const { lines, looksAt, crops } = await scanned([0.9, 0.8], [nothing, nothing, nothing, size(-0.5)]);
    const upright = await scanned([0.9, 0.8], [nothing, size(-0.5)]);
    const reversed = upright.crops.map(({ data }) => [...data].reverse());
    expect(crops.slice(2).map(({ data }) => [...data])).toEqual(reversed);
    expect([lines.length, looksAt(0).length, looksAt(1).length]).toEqual([7, 2, 5]);
    const [first, ...turned] = looksAt(1);
    expect(turned.every(({ box }) => box !== first!.box && box === turned[0]!.box)).toBe(true);
  });

  it('reads a few places only', async () => {
    const { lines } = await scanned([0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9], []);
    expect(lines).toHaveLength(7 + 4);
  });

  it('rotates the crop by half a turn', async () => {
    const { crops } = await scanned([0.9], []);
    const [upright, turned] = crops.map(({ data }) => [...data]);
    expect(turned).toEqual(upright!.toReversed());
    expect(turned).not.toEqual(upright);
  });
});

it('finds a text across several tiles as one', async () => {
  const { boxes } = await scanned([0.9], [size(0)], { width: 1700 });
  expect(boxes).toHaveLength(1);
  expect(Math.abs(boxes[0]!.length - 1580)).toBeLessThan(40);
});

it('reads nothing on a view without text', async () => {
  expect((await scanned([], [])).lines).toEqual([]);
});

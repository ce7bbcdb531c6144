import type { Field, Point } from '../../field';
import { loadIndexCost } from '../size/load-index';
import { loadIndexOfCar } from '../size/markings';
import { otherSize, type OtherSize } from '../size/other-sizes';
import { SizeDecoder, type ListedSize, type Reading } from '../size/size-decoder';
import { decodeGreedily, type DecodedText } from './decoded-text';
import type { TextBox } from './text-boxes';

/** The result of the recognizer for one line. */
export interface LineReading {
  /** The likeliest sizes of the table, best first; empty where the line holds another vehicle's size. */
  readonly readings: readonly Reading[];
  readonly decodedText: DecodedText;
  readonly other: OtherSize | undefined;
}

/** A line of text: its box in pixels of the text view, its outline in shares of the image, and what was read. */
export interface Line extends LineReading {
  readonly box: TextBox;
  readonly outline: readonly Point[];
}

/** Everything that a result is based on: what was scanned and what was found. */
export interface SidewallScan {
  /** Brightness of the image. */
  readonly luminance: Field;
  /** The rubber between rim and outer edge; `bandPx` is its width in the image. */
  readonly ring: { readonly score: number; readonly bandPx: number } | undefined;
  /** The image shows a wheel that is too small to be read. */
  readonly isDistant: boolean;
  /** Whether the image shows a tread. One that surely does was not searched for text. */
  readonly tread: 'surely' | 'likely' | 'unlikely';
  readonly passes: ScanPass[];
}

/** One view that was searched for text. A box that was read several times has several lines. */
export interface ScanPass {
  readonly view: Field;
  readonly lines: Line[];
  /** Runs of the networks. */
  readonly detections: number;
  readonly recognitions: number;
}

export const linesOf = ({ passes }: SidewallScan): Line[] => passes.flatMap(({ lines }) => lines);

/**
 * Below this certainty another vehicle's size is ignored and the table decides. A motorcycle's size that is nearly a car's (200/55R16) is
 * ignored, too.
 */
const MIN_CERTAINTY = 0.4;
const NEARLY = -0.7;

export class LineReader {
  private readonly decoder: SizeDecoder;

  constructor(
    sizes: readonly ListedSize[],
    private readonly characters: readonly string[],
  ) {
    this.decoder = new SizeDecoder(sizes, characters);
  }

  read(frames: Field): LineReading {
    const decodedText = decodeGreedily(frames, this.characters);
    const found = otherSize(decodedText);
    const other = found && found.certainty >= MIN_CERTAINTY ? found : undefined;
    const readings = weighed(this.decoder.read(frames), decodedText);
    const isNearlyCar = other?.kind === 'motorcycle' && (readings[0]?.logLikelihood ?? -Infinity) > NEARLY;
    return other && !isNearlyCar ? { readings: [], decodedText, other } : { readings, decodedText, other: undefined };
  }
}

/** How likely it is that none of the sizes stands there, relative to a size that is the likeliest text. */
const MISREAD = 0.1;

/**
 * Weighs each size by the load index behind it, in proportion to the certainty of the load index and relative to what else may stand there:
 * it counts for a size that it fits better than the others, and little against a size without a rival.
 */
function weighed(readings: readonly Reading[], decodedText: DecodedText): Reading[] {
  const behind = loadIndexOfCar(decodedText);
  if (!behind) return [...readings];
  const { loadIndex, certainty } = behind;
  const both = readings.map((reading) => ({ reading, fit: 1 - certainty * (1 - Math.exp(loadIndexCost(reading.size, loadIndex))) }));
  const sum = (of: (one: (typeof both)[number]) => number) => both.reduce((total, one) => total + of(one), MISREAD);
  const usual = sum(({ reading, fit }) => Math.exp(reading.logLikelihood) * fit) / sum(({ reading }) => Math.exp(reading.logLikelihood));
  return both
    .map(({ reading, fit }) => ({ ...reading, logLikelihood: Math.min(0, reading.logLikelihood + Math.log(fit / usual)) }))
    .sort((a, b) => b.logLikelihood - a.logLikelihood);
}

import type { TireSize } from '@tire/contracts';
import type { Field, Point } from '../field';
import { loadIndexCost } from './load-index';
import { loadIndexOfCar } from './markings';
import { otherSize, type OtherSize } from './other-sizes';
import { SizeDecoder, type ListedSize, type Reading } from './size-decoder';
import { decodeGreedily, type DecodedText } from './decoded-text';
import type { TextBox } from './text-boxes';

/** What a recognizer's output says of one line. */
export interface LineReading {
  /** The likeliest sizes of the table, best first; none where another tire's size stands. */
  readonly readings: readonly Reading[];
  readonly decodedText: DecodedText;
  readonly other: OtherSize | undefined;
}

/** A line of text found in a view, in its pixels, where it lies in the photograph, in shares of that, and what it says. */
export interface Line extends LineReading {
  readonly box: TextBox;
  readonly outline: readonly Point[];
}

/** Everything that an answer rests on: what was looked at and what was found there. */
export interface SidewallScan {
  /** The photograph's brightness. */
  readonly luminance: Field;
  /** Rubber between rim and outer edge, `bandPx` of the photograph wide. */
  readonly ring: { readonly score: number; readonly bandPx: number } | undefined;
  /** A wheel is there, but so small that nothing could be read on it. */
  readonly isDistant: boolean;
  readonly passes: ScanPass[];
}

/** A view that was searched. A box that was read several times has as many lines. */
export interface ScanPass {
  readonly view: Field;
  readonly lines: Line[];
}

export const linesOf = ({ passes }: SidewallScan): Line[] => passes.flatMap(({ lines }) => lines);

/** A half sure reading of another size leaves the line to the table, and so does a motorcycle's that a car's size nearly is: 200/55R16. */
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

/** What stands behind the size tells whether it can be that size, as far as it is sure itself. */
function weighed(readings: readonly Reading[], decodedText: DecodedText): Reading[] {
  const behind = loadIndexOfCar(decodedText);
  if (!behind) return [...readings];
  const { loadIndex, certainty } = behind;
  const costOf = (size: TireSize) => Math.log(1 - certainty * (1 - Math.exp(loadIndexCost(size, loadIndex))));
  return readings
    .map((reading) => ({ ...reading, logLikelihood: reading.logLikelihood + costOf(reading.size) }))
    .sort((a, b) => b.logLikelihood - a.logLikelihood);
}

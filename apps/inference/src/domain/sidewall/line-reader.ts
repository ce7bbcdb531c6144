import type { TireSize } from '@tire/contracts';
import type { Field, Point } from '../field';
import { loadIndexCost } from './load-index';
import { loadIndexOfCar } from './markings';
import { otherSize, type OtherSize } from './other-sizes';
import { SizeDecoder, type ListedSize, type Reading } from './size-decoder';
import { spell, type Spelled } from './spelled';
import type { TextBox } from './text-boxes';

/** What a recognizer's output says of one line. */
export interface LineReading {
  /** The likeliest sizes of the table, best first; none where another tire's size stands. */
  readonly readings: readonly Reading[];
  readonly spelled: Spelled;
  readonly other: OtherSize | undefined;
}

/** A line of text found in a view, in its pixels, where it lies in the photograph, in shares of that, and what it says. */
export interface Line extends LineReading {
  readonly box: TextBox;
  readonly outline: readonly Point[];
}

/** Everything that an answer rests on: what was looked at and what was found there. */
export interface Look {
  /** The photograph's brightness. */
  readonly luminance: Field;
  /** Rubber between rim and outer edge, `bandPx` of the photograph wide. */
  readonly ring: { readonly score: number; readonly bandPx: number } | undefined;
  /** A wheel is there, but so small that nothing could be read on it. */
  readonly isDistant: boolean;
  readonly glances: Glance[];
}

/** A view that was searched. A box that was read several times has as many lines. */
export interface Glance {
  readonly view: Field;
  readonly lines: Line[];
}

export const linesOf = ({ glances }: Look): Line[] => glances.flatMap(({ lines }) => lines);

/** A half sure reading of another size leaves the line to the table, and so does a motorcycle's that a car's size nearly is: 200/55R16. */
const LEAST_SURE = 0.4;
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
    const spelled = spell(frames, this.characters);
    const found = otherSize(spelled);
    const other = found && found.sureness >= LEAST_SURE ? found : undefined;
    const readings = weighed(this.decoder.read(frames), spelled);
    const isNearlyCar = other?.kind === 'motorcycle' && (readings[0]?.logLikelihood ?? -Infinity) > NEARLY;
    return other && !isNearlyCar ? { readings: [], spelled, other } : { readings, spelled, other: undefined };
  }
}

/** What stands behind the size tells whether it can be that size, as far as it is sure itself. */
function weighed(readings: readonly Reading[], spelled: Spelled): Reading[] {
  const behind = loadIndexOfCar(spelled);
  if (!behind) return [...readings];
  const { loadIndex, sureness } = behind;
  const costOf = (size: TireSize) => Math.log(1 - sureness * (1 - Math.exp(loadIndexCost(size, loadIndex))));
  return readings
    .map((reading) => ({ ...reading, logLikelihood: reading.logLikelihood + costOf(reading.size) }))
    .sort((a, b) => b.logLikelihood - a.logLikelihood);
}

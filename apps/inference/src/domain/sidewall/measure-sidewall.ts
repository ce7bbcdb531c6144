import type { SidewallMeasurement } from '@tire/contracts/events';
import type { RetakeReason } from '@tire/kernel';
import { probabilityOf, type ConfidenceLine } from './size/confidence';
import { linesOf, type Line, type SidewallScan } from './text/line-reader';
import { brandOf, manufacturedOf, serviceOf } from './size/markings';
import { beginsLikeOneOfACar, type OtherKind } from './size/other-sizes';
import { imageFaults } from './image-faults';
import { byPlace } from './text/places';
import type { Reading } from './size/size-decoder';
import { isLegible } from './text/decoded-text';
import type { TextBox } from './text/text-boxes';
import { elect, fused, showsAnotherThan, weightOf, type Vote } from './size/votes';

export interface SidewallLimits {
  readonly minConfidence: number;
  /** A less likely size is not worth a question to a person. */
  readonly minGuess: number;
  /** The function from the score of the votes to a probability. */
  readonly line: ConfidenceLine;
  /** A narrower band of rubber is too far away to be read. */
  readonly minBandPx: number;
}

export interface SidewallVerdict {
  /** Undefined where the image shows no sidewall. */
  readonly measurement: SidewallMeasurement | undefined;
  /** Why no size was read. */
  readonly reasons: readonly RetakeReason[];
}

/** The vote over all lines, without a threshold. Each place on the tire votes once, however often it was read. */
export function scoreOf(lines: readonly Line[]): Vote | undefined {
  const places = byPlace(lines);
  const againstOf = ({ other }: Line) => (other && beginsLikeOneOfACar(other.kind) ? other.certainty : 0);
  const against = places.reduce((sum, linesOfPlace) => sum + Math.max(...linesOfPlace.map(againstOf)), 0);
  return elect(
    places.map((linesOfPlace) => clearestOf(linesOfPlace)),
    0,
    against,
  );
}

/** A box may contain only a part of the text: fuses the readings of each box, and takes the box with the clearest result. */
function clearestOf(linesOfPlace: readonly Line[]): Reading[] {
  const fusedByBox = readingsByBox(linesOfPlace).map((readings) => fused(readings));
  return fusedByBox.reduce((best, one) => (weightOf(one) > weightOf(best) ? one : best), []);
}

function readingsByBox(lines: readonly Line[]): (readonly Reading[])[][] {
  const boxes = new Map<TextBox, (readonly Reading[])[]>();
  for (const { box, readings } of lines) boxes.set(box, [...(boxes.get(box) ?? []), readings]);
  return [...boxes.values()];
}

/**
 * Whether any text surely shows another size than the elected one. Each box is asked by itself: a long box may join the texts of two
 * places, and a text that may show either of two other sizes has little weight in the vote.
 */
const isContradicted = ({ size }: Vote, lines: readonly Line[]): boolean =>
  readingsByBox(lines).some((readings) => showsAnotherThan(size, readings));

/** Whether further readings change nothing: the size is sure, or two sizes are, so that there is none. */
export function isSettled(lines: readonly Line[], { minConfidence, line }: SidewallLimits): boolean {
  const vote = scoreOf(lines);
  return vote !== undefined && (probabilityOf(vote.confidence, line) >= minConfidence || isContradicted(vote, lines));
}

/** The elected size, where its probability reaches the threshold and no text contradicts it. */
export function sizeIn(lines: readonly Line[], { minConfidence, line }: SidewallLimits): Vote | undefined {
  return likeliest(lines, line, minConfidence);
}

/** The elected size, sure or not, where its probability is worth a question. */
export const guessIn = (lines: readonly Line[], { minGuess, line }: SidewallLimits): Vote | undefined => likeliest(lines, line, minGuess);

function likeliest(lines: readonly Line[], line: ConfidenceLine, minProbability: number): Vote | undefined {
  const vote = scoreOf(lines);
  if (!vote) return undefined;
  const confidence = probabilityOf(vote.confidence, line);
  return confidence >= minProbability && !isContradicted(vote, lines) ? { size: vote.size, confidence } : undefined;
}

export function measureSidewall(scan: SidewallScan, limits: SidewallLimits, today: Date): SidewallVerdict {
  if (scan.tread === 'surely') return { measurement: undefined, reasons: ['tread_in_sidewall_slot'] };
  const lines = linesOf(scan);
  const vote = sizeIn(lines, limits);
  const reasons = vote ? [] : reasonsFor(scan, lines, limits);
  const isTread = reasons.includes('tread_in_sidewall_slot');
  if (!vote && (isTread || !isSidewall(scan, lines))) return { measurement: undefined, reasons };
  const services = vote ? linesWith(lines, vote).map(({ decodedText }) => serviceOf(decodedText, vote.size)) : [];
  const measurement: SidewallMeasurement = {
    quality: { recognized: vote !== undefined, confidence: vote && roundedDown(vote.confidence) },
    size: vote?.size,
    sizePlace: vote && { polygonXyNorm: [...placeOf(lines, vote)] },
    loadIndex: agreed(services.map((service) => service?.loadIndex)),
    speedSymbol: agreed(services.map((service) => service?.speedSymbol)),
    manufactured: agreed(lines.map(({ decodedText }) => manufacturedOf(decodedText, today))),
    brand: agreed(lines.map(({ decodedText }) => brandOf(decodedText))),
    // A tire of another kind has no size of a car.
    guess: vote || reasons.includes('unsupported_size') ? undefined : guessIn(lines, limits)?.size,
  };
  return { measurement, reasons };
}

/** Rounded down, because no reading is certain. */
const roundedDown = (confidence: number) => Math.floor(confidence * 100) / 100;

const isSidewall = ({ ring }: SidewallScan, lines: readonly Line[]) =>
  ring !== undefined || lines.some(({ decodedText, readings }) => isLegible(decodedText) || weightOf(readings) > 0.5);

const linesWith = (lines: readonly Line[], { size }: Vote) => lines.filter(({ readings }) => readings[0]?.size === size);

/** The outline of the line that shows the size most clearly. Together the lines may elect a size that none of them ranks first. */
const placeOf = (lines: readonly Line[], { size }: Vote) => {
  const clearness = ({ readings }: Line) => readings.find((reading) => reading.size === size)?.logLikelihood ?? -Infinity;
  return lines.reduce((best, line) => (clearness(line) > clearness(best) ? line : best)).outline;
};

/** The value on which all lines with a value agree: the same line is read several times. */
function agreed<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  const [first, ...rest] = values.filter((one) => one !== undefined);
  const same = JSON.stringify(first);
  return rest.every((one) => JSON.stringify(one) === same) ? first : undefined;
}

// The end of a car's size with its stroke read as a 1 looks like a size without an aspect ratio: /65R16, 165R16.
const minCertaintyOf = (kind: OtherKind): number => (kind === 'no_aspect_ratio' ? 0.85 : 0.6);

function reasonsFor(scan: SidewallScan, lines: readonly Line[], { minBandPx }: SidewallLimits): RetakeReason[] {
  if (lines.some(({ other }) => other && other.certainty >= minCertaintyOf(other.kind))) return ['unsupported_size'];
  // An unclear ring and a few letters are seen in treads, too.
  if (scan.tread === 'likely') return ['tread_in_sidewall_slot'];
  const faults = imageFaults(scan.luminance);
  if (faults.length > 0) return faults;
  if (scan.isDistant || (scan.ring && scan.ring.bandPx < minBandPx)) return ['too_far'];
  return [isSidewall(scan, lines) ? 'unreadable' : 'not_a_sidewall'];
}

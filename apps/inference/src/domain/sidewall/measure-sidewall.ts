import type { SidewallMeasurement } from '@tire/contracts';
import type { RetakeReason } from '@tire/kernel';
import { probabilityOf, type ConfidenceLine } from './confidence';
import { linesOf, type Line, type Look } from './line-reader';
import { brandOf, manufacturedOf, serviceOf } from './markings';
import { beginsLikeOneOfACar, type OtherKind } from './other-sizes';
import { photoFaults } from './photo-faults';
import { byPlace } from './places';
import type { Reading } from './size-decoder';
import { isLegible } from './spelled';
import type { TextBox } from './text-boxes';
import { elect, fused, weightOf, type Vote } from './votes';

export interface SidewallLimits {
  readonly minConfidence: number;
  /** From the votes' score to how often it is right. */
  readonly line: ConfidenceLine;
  /** Rubber that is seen narrower than this is too far away to be read. */
  readonly minBandPx: number;
}

export interface SidewallVerdict {
  /** Undefined when the picture shows no sidewall. */
  readonly measurement: SidewallMeasurement | undefined;
  /** Why no size was read. */
  readonly reasons: readonly RetakeReason[];
}

/** What the votes of all lines are worth, however little that is. Each place on the tire votes once, however often it was read. */
export function scoreOf(lines: readonly Line[]): Vote | undefined {
  const places = byPlace(lines);
  const againstOf = ({ other }: Line) => (other && beginsLikeOneOfACar(other.kind) ? other.sureness : 0);
  const against = places.reduce((sum, looks) => sum + Math.max(...looks.map(againstOf)), 0);
  return elect(
    places.map((looks) => clearestOf(looks)),
    0,
    against,
  );
}

/** A box may hold a part of the text only: what all looks at one box say together, of the box that says it most clearly. */
function clearestOf(looks: readonly Line[]): Reading[] {
  const boxes = new Map<TextBox, Line[]>();
  for (const line of looks) boxes.set(line.box, [...(boxes.get(line.box) ?? []), line]);
  const said = [...boxes.values()].map((ofBox) => fused(ofBox.map(({ readings }) => readings)));
  return said.reduce((best, one) => (weightOf(one) > weightOf(best) ? one : best), []);
}

/** The size that all lines together are sure enough of. */
export function sizeIn(lines: readonly Line[], { minConfidence, line }: SidewallLimits): Vote | undefined {
  const vote = scoreOf(lines);
  if (!vote) return undefined;
  const confidence = probabilityOf(vote.confidence, line);
  return confidence >= minConfidence ? { size: vote.size, confidence } : undefined;
}

export function measureSidewall(look: Look, limits: SidewallLimits, today: Date): SidewallVerdict {
  const lines = linesOf(look);
  const vote = sizeIn(lines, limits);
  const reasons = vote ? [] : reasonsFor(look, lines, limits);
  if (!vote && !isSidewall(look, lines)) return { measurement: undefined, reasons };
  const services = vote ? linesWith(lines, vote).map(({ spelled }) => serviceOf(spelled, vote.size)) : [];
  const measurement: SidewallMeasurement = {
    quality: { recognized: vote !== undefined, confidence: vote && roundedDown(vote.confidence) },
    size: vote?.size,
    sizePlace: vote && { polygonXyNorm: [...placeOf(lines, vote)] },
    loadIndex: agreed(services.map((service) => service?.loadIndex)),
    speedSymbol: agreed(services.map((service) => service?.speedSymbol)),
    manufactured: agreed(lines.map(({ spelled }) => manufacturedOf(spelled, today))),
    brand: agreed(lines.map(({ spelled }) => brandOf(spelled))),
  };
  return { measurement, reasons };
}

/** No reading is certain. */
const roundedDown = (confidence: number) => Math.floor(confidence * 100) / 100;

const isSidewall = ({ ring }: Look, lines: readonly Line[]) =>
  ring !== undefined || lines.some(({ spelled, readings }) => isLegible(spelled) || weightOf(readings) > 0.5);

const linesWith = (lines: readonly Line[], { size }: Vote) => lines.filter(({ readings }) => readings[0]?.size === size);

/** Of the line that says it most clearly; all together may elect a size that none of them puts first. */
const placeOf = (lines: readonly Line[], { size }: Vote) => {
  const clearness = ({ readings }: Line) => readings.find((reading) => reading.size === size)?.logLikelihood ?? -Infinity;
  return lines.reduce((best, line) => (clearness(line) > clearness(best) ? line : best)).outline;
};

/** What all that say anything say alike: several looks read the same line. */
function agreed<Said>(said: readonly (Said | undefined)[]): Said | undefined {
  const [first, ...rest] = said.filter((one) => one !== undefined);
  const same = JSON.stringify(first);
  return rest.every((one) => JSON.stringify(one) === same) ? first : undefined;
}

// The end of a car's size, its stroke read as a one, is written like a size without a ratio: /65R16, 165R16.
const leastSureOf = (kind: OtherKind): number => (kind === 'no_aspect_ratio' ? 0.85 : 0.6);

function reasonsFor(look: Look, lines: readonly Line[], { minBandPx }: SidewallLimits): RetakeReason[] {
  if (lines.some(({ other }) => other && other.sureness >= leastSureOf(other.kind))) return ['unsupported_size'];
  const faults = photoFaults(look.luminance);
  if (faults.length > 0) return faults;
  if (look.isDistant || (look.ring && look.ring.bandPx < minBandPx)) return ['too_far'];
  return [isSidewall(look, lines) ? 'unreadable' : 'not_a_sidewall'];
}

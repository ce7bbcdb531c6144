import type { SidewallResult } from '@tire/contracts/api';
import { fault, parseSlotId, type SlotId } from '@tire/kernel';
import { manualAnalysis } from './manual';
import { refuseFaults, type Refusal } from './refusal';
import { slotState, type Report, type ReportEvent } from './report';
import type { AnalysisRecord, Size, SizeGuess } from './slot';
import { areAlike, type Image, imageOf, imageWarnings } from './warnings';

/** An analysis of a slot that ended without a size, with what its engine guessed. */
export interface GuessingAnalysis {
  readonly slotId: string;
  readonly analysisId: string;
  readonly guess: SizeGuess;
}

/** A size that a person may be asked about, with the analysis that the slot has now. */
export interface OfferedSize {
  readonly slotId: SlotId;
  readonly analysisId: string;
  readonly size: Size;
}

export interface ConfirmSizeCommand {
  readonly type: 'confirmSize';
  readonly offered: OfferedSize;
  /** What the engine read besides the size. */
  readonly read: Pick<SidewallResult, 'manufactured' | 'brand'>;
  readonly analysisId: string;
  readonly revisionId: string;
}

/**
 * The size that the image of a slot and an earlier image of the same slot both show. These two photographs most likely show one tire: the
 * other tire of the axle may have another size. A photograph that is measured again agrees with itself, so copies do not count. Nor
 * do images that another position has now, because it is not known which tire they show.
 */
export function offeredSizes(report: Report, analyses: readonly GuessingAnalysis[]): OfferedSize[] {
  const shared = slotsOfSharedImages(report);
  return report.slots.flatMap(({ slotId, state }): OfferedSize[] => {
    if (state.phase !== 'succeeded' || shared.has(slotId)) return [];
    const { analysisId } = state.analysis;
    const ofSlot = analyses.filter((analysis) => analysis.slotId === slotId);
    const present = ofSlot.find((analysis) => analysis.analysisId === analysisId)?.guess;
    if (!present) return [];
    const others = imagesOfOthers(report, slotId);
    const counts = ({ image }: SizeGuess) => [present.image, ...others].every((other) => !areAlike(image, other));
    const agrees = ofSlot.some(({ guess }) => isSameSize(guess.size, present.size) && counts(guess));
    return agrees ? [{ slotId, analysisId, size: present.size }] : [];
  });
}

/** Content knows no size of such a slot either. */
function slotsOfSharedImages({ slots }: Report): ReadonlySet<string> {
  const groups = imageWarnings(slots).filter(({ slot_ids }) => new Set(slot_ids.map((slotId) => parseSlotId(slotId).position)).size > 1);
  return new Set(groups.flatMap(({ slot_ids }) => slot_ids));
}

const imagesOfOthers = ({ slots }: Report, slotId: SlotId): Image[] =>
  slots.flatMap(({ slotId: other, state }): Image[] => {
    const isOther = parseSlotId(other).position !== parseSlotId(slotId).position;
    return isOther && state.phase !== 'empty' && state.asset ? [imageOf(state.asset)] : [];
  });

export const isSameSize = (a: Size, b: Size): boolean =>
  a.section_width === b.section_width && a.aspect_ratio === b.aspect_ratio && a.rim_diameter === b.rim_diameter;

export const notOffered = (): Refusal => refuseFaults([fault('size', 'is not the size that two images of this slot show.')]);

/** The slot may have been measured again since the size was offered. */
export function confirmedSize(report: Report, command: ConfirmSizeCommand, now: Date): Confirmation | Refusal {
  const { slotId, analysisId, size } = command.offered;
  const state = slotState(report, slotId);
  if (state.phase !== 'succeeded' || state.analysis.analysisId !== analysisId) return notOffered();
  const at = now.toISOString();
  const analysis: AnalysisRecord = manualAnalysis(slotId, { size, ...command.read }, at, command.analysisId);
  return { type: 'sizeConfirmed', slotId, analysis, at };
}

type Confirmation = Extract<ReportEvent, { type: 'sizeConfirmed' }>;

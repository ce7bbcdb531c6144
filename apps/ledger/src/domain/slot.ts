import type { AnalysisErrorCode, RetakeReason, SlotId } from '@tire/kernel';
import type { Analysis, SidewallResult } from '@tire/contracts/api';

export type AssetSource =
  | { readonly kind: 'partner_url'; readonly url: string; readonly clientAssetId: string | null }
  | { readonly kind: 'atrace_upload' };

/** The image that a slot shows. */
export interface SlotAsset {
  readonly assetId: string;
  readonly source: AssetSource;
  /** The SHA-256 of the stored bytes in hexadecimal digits, known once they are stored. */
  readonly sha256?: string;
  /** The perceptual hash, known once the image was measured. Hexadecimal digits. */
  readonly hash?: string;
  /** The time of the photograph is over: its bytes go, or have gone. What was measured stays. */
  readonly isEnded?: boolean;
}

/** A measurement that is running. `analysisId` is the fence: new for each attempt, so that a late result of an earlier one is ignored. */
interface Attempt {
  readonly asset: SlotAsset;
  readonly analysisId: string;
  /** This attempt replaces a success: the slot takes another image only with replace=true. */
  readonly replacesSuccess: boolean;
}

/** The facts of an ended analysis that the rules use. The measurement itself is stored as text, and no rule reads it. */
export interface AnalysisFacts {
  /** Names the stored text. */
  readonly analysisId: string;
  readonly provenance: NonNullable<Analysis['provenance']>;
  /** Null after a success. */
  readonly errorCode: AnalysisErrorCode | null;
  /** Null where no model looked at the image. */
  readonly model: string | null;
}

/** An analysis that has just ended: stored once, and never changed. */
export interface AnalysisRecord extends AnalysisFacts {
  readonly slotId: SlotId;
  /** `analysis` of report.v1. */
  readonly json: string;
  /** Stored beside that text, so that nothing that is served contains it. */
  readonly guess?: SizeGuess;
  /** The analysis that has what the engine measured, where a person entered gauge values over it. */
  readonly measuredId?: string;
}

export type Size = NonNullable<SidewallResult['size']>;

/** The likeliest size in an image whose size was not read, and what tells that image from others. */
export interface SizeGuess {
  readonly size: Size;
  readonly image: { readonly sha256: string | null; readonly hash: string };
}

interface Ended {
  /** Null where a person entered the values, and in a report imported without its image. */
  readonly asset: SlotAsset | null;
  readonly analysis: AnalysisFacts;
}

export type SlotState =
  | { readonly phase: 'empty' }
  | ({ readonly phase: 'fetching' } & Attempt)
  | ({ readonly phase: 'analyzing' } & Attempt)
  | ({ readonly phase: 'succeeded' } & Ended)
  | ({ readonly phase: 'failed' } & Ended);

export interface ReportSlotRecord {
  readonly slotId: SlotId;
  readonly state: SlotState;
}

export const isPending = ({ state }: ReportSlotRecord): boolean => state.phase === 'fetching' || state.phase === 'analyzing';

/** The result of an engine for one attempt, with the names and values of report.v1. */
export type SlotOutcome = (
  | { readonly kind: 'measured'; readonly result: NonNullable<Analysis['result']>; readonly quality: NonNullable<Analysis['quality']> }
  | { readonly kind: 'failed'; readonly errorCode: AnalysisErrorCode }
) & {
  /** Why a better image is needed, measured or not. */
  readonly retakeReasons?: readonly RetakeReason[];
};

export const heldAsset = (state: SlotState): string | null => (state.phase === 'empty' ? null : (state.asset?.assetId ?? null));

export const holdsAsset = (state: SlotState, assetId: string): boolean => state.phase !== 'empty' && state.asset?.assetId === assetId;

/** The state of a slot whose analysis has ended. */
export const endedState = (
  asset: SlotAsset | null,
  { analysisId, provenance, errorCode, model }: AnalysisFacts,
): Extract<SlotState, { phase: 'succeeded' | 'failed' }> => ({
  phase: errorCode === null ? 'succeeded' : 'failed',
  asset,
  analysis: { analysisId, provenance, errorCode, model },
});

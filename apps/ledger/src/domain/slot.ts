import type { AnalysisErrorCode, RetakeReason, SlotId } from '@tire/kernel';
import type { Analysis } from '@tire/contracts';

export type AssetSource =
  { readonly kind: 'partner_url'; readonly url: string; readonly clientAssetId: string | null } | { readonly kind: 'atrace_upload' };

/** The photograph that a slot stands on. */
export interface SlotAsset {
  readonly assetId: string;
  readonly source: AssetSource;
}

/** A measurement on its way. `analysisId` is the fence: new for each attempt, so that a late result of an earlier one is told apart. */
interface Attempt {
  readonly asset: SlotAsset;
  readonly analysisId: string;
  /** A result was given up for this attempt: such a slot takes another image only with replace=true. */
  readonly replacesSuccess: boolean;
}

interface Ended {
  /** Null only in a report taken over from before assets were kept. */
  readonly asset: SlotAsset | null;
  readonly analysis: Analysis;
  readonly model: string | null;
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

/** What an engine reported for one attempt, already in the words of report.v1. */
export type SlotOutcome = (
  | { readonly kind: 'measured'; readonly result: NonNullable<Analysis['result']>; readonly quality: NonNullable<Analysis['quality']> }
  | { readonly kind: 'failed'; readonly errorCode: AnalysisErrorCode }
) & {
  /** What makes the photograph a bad one, measured or not. */
  readonly retakeReasons?: readonly RetakeReason[];
};

export const holdsAsset = (state: SlotState, assetId: string): boolean => state.phase !== 'empty' && state.asset?.assetId === assetId;

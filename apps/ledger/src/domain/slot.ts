import type { AnalysisErrorCode, SlotId } from '@tire/kernel';
import type { Analysis } from '@tire/contracts';

export type AssetSource =
  { readonly kind: 'partner_url'; readonly url: string; readonly clientAssetId: string | null } | { readonly kind: 'atrace_upload' };

/** The photograph that a slot stands on. */
export interface SlotAsset {
  readonly assetId: string;
  readonly source: AssetSource;
}

/**
 * One slot of a report. `analysisId` is the fence: new for each attempt, so that a late result of an earlier one is told apart.
 * `replacesSuccess` remembers that a result was given up for this attempt: such a slot takes another image only with replace=true.
 */
export type SlotState =
  | { readonly phase: 'empty' }
  | { readonly phase: 'fetching'; readonly asset: SlotAsset }
  | { readonly phase: 'analyzing'; readonly asset: SlotAsset; readonly analysisId: string; readonly replacesSuccess: boolean }
  | { readonly phase: 'succeeded'; readonly asset: SlotAsset; readonly analysis: Analysis; readonly model: string | null }
  | { readonly phase: 'failed'; readonly asset: SlotAsset; readonly analysis: Analysis; readonly model: string | null };

export interface ReportSlotRecord {
  readonly slotId: SlotId;
  readonly state: SlotState;
}

export const isPending = ({ state }: ReportSlotRecord): boolean => state.phase === 'fetching' || state.phase === 'analyzing';

/** What an engine reported for one attempt, already in the words of report.v1. */
export type SlotOutcome =
  | { readonly kind: 'measured'; readonly result: NonNullable<Analysis['result']>; readonly quality: NonNullable<Analysis['quality']> }
  | { readonly kind: 'failed'; readonly errorCode: AnalysisErrorCode };

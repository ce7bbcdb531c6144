import {
  ANALYSIS_ERRORS,
  ENGINE_API,
  ENGINE_API_VERSION,
  RETAKE_HINTS,
  assertNever,
  parseSlotId,
  type AnalysisErrorCode,
  type ImageType,
  type SandboxName,
  type SlotId,
} from '@tire/kernel';
import type { Analysis } from '@tire/contracts/api';
import type { AnalysisFinished } from '@tire/contracts/events';
import { slotOutcome } from './measurement';
import { photographOfModel, sandboxModel } from './sandbox';
import type { AnalysisRecord, SlotOutcome } from './slot';

type Engine = NonNullable<Analysis['engine']>;

const ENGINES: Record<ImageType, Engine> = {
  tread: {
    api: ENGINE_API,
    api_version: ENGINE_API_VERSION,
    operation: 'tire.tread',
    result_schema_version: 'tire-tread.v2',
    requested_functions: ['aggregated_depth', 'individual_depths', 'vehicle_side', 'tire_rotation', 'groove_masks', 'tread_roi'],
  },
  sidewall: {
    api: ENGINE_API,
    api_version: ENGINE_API_VERSION,
    operation: 'tire.sidewall',
    result_schema_version: 'tire-sidewall.v2',
    requested_functions: ['size'],
  },
};

/** Every slot without an ended analysis. */
export const PENDING_ANALYSIS: Analysis = {
  status: 'pending',
  provenance: null,
  engine: null,
  result: null,
  quality: null,
  error: null,
  completed_at: null,
};

/** How an attempt ended, as in report.v1. An image that could not be fetched counts as a failure of the engine. */
export function endedAnalysis(slotId: SlotId, outcome: SlotOutcome, completedAt: string, sandbox?: SandboxName): Analysis {
  const { retakeReasons = [] } = outcome;
  const frame = {
    provenance: 'engine' as const,
    engine: ENGINES[parseSlotId(slotId).image_type],
    completed_at: completedAt,
    ...(retakeReasons.length > 0 ? { retake: retakeReasons.map((code) => ({ code, hint: RETAKE_HINTS[code] })) } : {}),
    ...(sandbox ? { sandbox } : {}),
  };
  switch (outcome.kind) {
    case 'measured':
      return { ...frame, status: 'success', result: outcome.result, quality: outcome.quality, error: null };
    case 'failed': {
      const { retryable } = ANALYSIS_ERRORS[outcome.errorCode];
      return { ...frame, status: 'failed', result: null, quality: null, error: { code: outcome.errorCode, retryable } };
    }
    default:
      return assertNever(outcome);
  }
}

/** `sandbox`: the well-known photograph at whose address the fetch failed on purpose. */
export const failedAnalysis = (
  slotId: SlotId,
  analysisId: string,
  errorCode: AnalysisErrorCode,
  at: string,
  sandbox?: SandboxName,
): AnalysisRecord => recorded(slotId, analysisId, { kind: 'failed', errorCode }, at, sandbox ? sandboxModel(sandbox) : null);

type Finished = Pick<AnalysisFinished, 'analysisId' | 'outcome' | 'retakeReasons' | 'model' | 'completedAt'>;

/** Validates the result of a worker, once, and prints it to the text that is stored and served. */
export const finishedAnalysis = (slotId: SlotId, finished: Finished, now: Date): AnalysisRecord => {
  const outcome = slotOutcome(slotId, finished.outcome, finished.retakeReasons);
  return recorded(slotId, finished.analysisId, outcome, notAfter(now, finished.completedAt), finished.model);
};

/** A worker whose clock runs ahead must not end a slot after its result arrived. */
function notAfter(now: Date, completedAt: string): string {
  const completedMs = Date.parse(completedAt);
  return new Date(Number.isNaN(completedMs) ? now.getTime() : Math.min(now.getTime(), completedMs)).toISOString();
}

const recorded = (slotId: SlotId, analysisId: string, outcome: SlotOutcome, completedAt: string, model: string | null): AnalysisRecord => ({
  slotId,
  analysisId,
  provenance: 'engine',
  errorCode: outcome.kind === 'failed' ? outcome.errorCode : null,
  model,
  json: JSON.stringify(endedAnalysis(slotId, outcome, completedAt, photographOfModel(model))),
});

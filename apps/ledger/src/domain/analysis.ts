import {
  ANALYSIS_ERRORS,
  ENGINE_API,
  ENGINE_API_VERSION,
  RETAKE_HINTS,
  assertNever,
  parseSlotId,
  type ImageType,
  type SlotId,
} from '@tire/kernel';
import type { Analysis } from '@tire/contracts';
import type { SlotOutcome } from './slot';

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

export const PENDING_ANALYSIS: Analysis = {
  status: 'pending',
  provenance: null,
  engine: null,
  result: null,
  quality: null,
  error: null,
  completed_at: null,
};

/** How an attempt ended, as report.v1 tells it. An image that could not be fetched counts as the engine's failure too. */
export function endedAnalysis(slotId: SlotId, outcome: SlotOutcome, completedAt: string): Analysis {
  const { retakeReasons = [] } = outcome;
  const frame = {
    provenance: 'engine' as const,
    engine: ENGINES[parseSlotId(slotId).image_type],
    completed_at: completedAt,
    ...(retakeReasons.length > 0 ? { retake: retakeReasons.map((code) => ({ code, hint: RETAKE_HINTS[code] })) } : {}),
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

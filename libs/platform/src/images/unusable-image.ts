import type { AnalysisErrorCode } from '@tire/kernel';

/** The image itself is at fault: a retry with the same bytes fails again. */
export class UnusableImage extends Error {
  constructor(
    readonly errorCode: AnalysisErrorCode,
    cause?: unknown,
  ) {
    super(errorCode, { cause });
    this.name = 'UnusableImage';
  }
}

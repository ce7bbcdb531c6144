import type { SidewallMeasurement, TreadMeasurement } from '@tire/contracts/events';
import type { AnalysisErrorCode, RetakeReason } from '@tire/kernel';
import type { Unseen } from '../domain/tread/unseen-parts';
import type { RgbImage } from '../imaging/decode';
import type { Provider } from './providers';

export type Outcome = (
  | { readonly kind: 'tread'; readonly measurement: TreadMeasurement }
  | { readonly kind: 'sidewall'; readonly measurement: SidewallMeasurement }
  | { readonly kind: 'error'; readonly errorCode: AnalysisErrorCode }
) & {
  /** Faults of the image, where an engine can detect them. */
  readonly reasons?: readonly RetakeReason[];
};

/** The outcome of a model for an image, with the times that it took. */
export interface Measured {
  readonly outcome: Outcome;
  readonly modelMs: number;
  readonly postMs: number;
  /** What the thresholds of a tread model are compared with, for the tools that choose them. */
  readonly unseen?: Unseen;
}

/** The answer of the model's process. */
export interface Analysis extends Measured {
  readonly imageHash: string;
}

export interface Model {
  /** The execution providers in use. */
  readonly providers: readonly Provider[];
  /** One analysis per image. Batches are larger than one only where the manifest has a batch size. */
  analyze(images: readonly RgbImage[]): Promise<Measured[]>;
}

/** The figures of an outcome that a manifest can expect of its golden image. */
export function figuresOf(outcome: Outcome): Record<string, number> {
  switch (outcome.kind) {
    case 'error':
      return {};
    case 'tread': {
      const { individualRemainingDepthMm: depths, aggregatedRemainingDepthMm, tireRotationDegClockwise } = outcome.measurement;
      const named = Object.fromEntries(depths.map((depthMm, i) => [`depth_mm_${i}`, depthMm]));
      return {
        ...named,
        grooves: depths.length,
        aggregated_depth_mm: aggregatedRemainingDepthMm ?? NaN,
        rotation_deg: tireRotationDegClockwise ?? NaN,
      };
    }
    case 'sidewall': {
      const size = outcome.measurement.size;
      if (!size) return {};
      return { section_width: size.sectionWidthMm, aspect_ratio: size.aspectRatioPercent, rim_diameter: size.rimDiameterInch };
    }
  }
}

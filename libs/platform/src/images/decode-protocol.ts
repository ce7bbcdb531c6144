import type { AnalysisErrorCode } from '@tire/kernel';

/** What to make of an image. */
export interface WantedImage {
  /** Images are shrunk to this, and never enlarged. */
  readonly longSidePx: number;
  readonly minShortSidePx: number;
  readonly maxPixels: number;
  /** Stored: coordinates refer to the file. Turned: as the EXIF orientation says, for display. */
  readonly orientation: 'stored' | 'turned';
  /** Pixels as interleaved RGB of eight bits, or a JPEG of this quality. */
  readonly result: 'rgb' | { readonly jpegQuality: number };
}

export interface DecodedImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  /** The EXIF orientation of the original, 1 without one. */
  readonly orientation: number;
}

export interface ToDecoder {
  readonly bytes: Uint8Array;
  readonly wanted: WantedImage;
}

export type FromDecoder =
  /** CPU time of a decode of known size: the speed of the machine. */
  | { readonly kind: 'ready'; readonly warmUpCpuMs: number }
  | { readonly kind: 'decoded'; readonly image: DecodedImage }
  | { readonly kind: 'unusable'; readonly errorCode: AnalysisErrorCode; readonly reason: string };

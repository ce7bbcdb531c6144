import type { AnalysisErrorCode } from '@tire/kernel';

/** What to make of an image. */
export interface WantedImage {
  /** Images are shrunk to this, and never enlarged. */
  readonly longSidePx: number;
  readonly minShortSidePx: number;
  readonly maxPixels: number;
  /** An EXIF orientation to apply. 1: none, so that coordinates refer to the file. What the file itself says is not read. */
  readonly orientation: number;
}

/** Without metadata. */
export interface WantedJpeg {
  readonly longSidePx: number;
  readonly quality: number;
}

export interface DecodedImage {
  readonly width: number;
  readonly height: number;
  /** Interleaved RGB of eight bits. */
  readonly rgb: Uint8Array;
  /** The EXIF orientation of the original, 1 without one. */
  readonly orientation: number;
}

export interface ToDecoder {
  readonly bytes: Uint8Array;
  readonly wanted: WantedImage;
  /** JPEGs of the image instead of its pixels, from one decode. */
  readonly jpegs?: readonly WantedJpeg[];
}

export type Decoded = { readonly kind: 'pixels'; readonly image: DecodedImage } | { readonly kind: 'jpegs'; readonly jpegs: Uint8Array[] };

export type FromDecoder =
  /** CPU time of a decode of known size: the speed of the machine. */
  | { readonly kind: 'ready'; readonly warmUpCpuMs: number }
  | { readonly kind: 'decoded'; readonly decoded: Decoded }
  | { readonly kind: 'unusable'; readonly errorCode: AnalysisErrorCode; readonly reason: string };

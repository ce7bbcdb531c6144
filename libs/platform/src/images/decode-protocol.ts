import type { AnalysisErrorCode } from '@tire/kernel';

/** The image that a decode returns. */
export interface WantedImage {
  /** Images are shrunk to this, and never enlarged. */
  readonly longSidePx: number;
  readonly minShortSidePx: number;
  readonly maxPixels: number;
  /** An EXIF orientation to apply. 1: none, so that coordinates refer to the file. The orientation in the file is not read. */
  readonly orientation: number;
}

/** A copy of the image without metadata. */
export interface WantedCopy {
  readonly format: 'jpeg' | 'webp';
  readonly longSidePx: number;
  readonly quality: number;
  /** A copy that would be larger has fewer pixels. */
  readonly bytesMax?: number;
}

/** A PNG inside these sides, on white, turned by the orientation in the file, without metadata. For drawings, which a JPEG would blur. */
export interface WantedPng {
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface EncodedPng extends WantedPng {
  readonly bytes: Uint8Array;
}

export interface DecodedImage {
  readonly width: number;
  readonly height: number;
  /** Interleaved RGB of eight bits. */
  readonly rgb: Uint8Array;
  /** The EXIF orientation of the original, 1 without one. */
  readonly orientation: number;
}

export type ImageFacts = Omit<DecodedImage, 'rgb'>;

/** Its pixels are in a file, as bytes without a header. */
export interface WrittenImage extends ImageFacts {
  readonly file: string;
}

export interface ToDecoder {
  readonly bytes: Uint8Array;
  readonly wanted: WantedImage;
  /** Copies of the image instead of its pixels, from one decode. */
  readonly copies?: readonly WantedCopy[];
  /** A new file for the pixels. Where it cannot be written, they come in the answer. */
  readonly file?: string;
  /** A PNG of the image instead of its pixels. */
  readonly png?: WantedPng;
}

export type Decoded =
  | { readonly kind: 'pixels'; readonly image: DecodedImage }
  /** To the file of the work. The process that decodes hostile images names no path. */
  | { readonly kind: 'written'; readonly image: ImageFacts }
  | { readonly kind: 'copies'; readonly copies: Uint8Array[] }
  | { readonly kind: 'png'; readonly png: EncodedPng };

export type FromDecoder =
  /** CPU time of a decode of known size: the speed of the machine. */
  | { readonly kind: 'ready'; readonly warmUpCpuMs: number }
  | { readonly kind: 'decoded'; readonly decoded: Decoded }
  | { readonly kind: 'unusable'; readonly errorCode: AnalysisErrorCode; readonly reason: string };

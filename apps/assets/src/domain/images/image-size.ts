export type ImageFault = 'image_format_unsupported' | 'image_undecodable' | 'image_too_large';

export interface ImageSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** An image of the largest common phone sensor (50 megapixels) fits. A decompression bomb of a few kilobytes does not. */
export const MAX_IMAGE_PIXELS = 60_000_000;

export const sizeFault = ({ widthPx, heightPx }: ImageSize): ImageFault | undefined =>
  widthPx * heightPx > MAX_IMAGE_PIXELS ? 'image_too_large' : undefined;

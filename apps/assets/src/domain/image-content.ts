export const IMAGE_FORMATS = ['jpeg', 'png'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** What an upload address takes: a little more, so that registration tells the partner that the image is too large, and not a broken PUT. */
export const MAX_UPLOAD_BYTES = MAX_IMAGE_BYTES + 1024 * 1024;
/** A photo of the largest common phone sensor (50 megapixels) fits; a bomb of a few kilobytes that unpacks to gigabytes does not. */
export const MAX_IMAGE_PIXELS = 60_000_000;

export const CONTENT_TYPES: Record<ImageFormat, string> = { jpeg: 'image/jpeg', png: 'image/png' };

const SIGNATURES: Record<ImageFormat, Uint8Array> = {
  jpeg: Uint8Array.of(0xff, 0xd8, 0xff),
  png: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
};

/** What the bytes are, whatever a header says of them. */
export const sniffFormat = (bytes: Uint8Array): ImageFormat | undefined =>
  IMAGE_FORMATS.find((format) => SIGNATURES[format].every((byte, at) => bytes[at] === byte));

export interface ImageFacts {
  readonly format: ImageFormat;
  readonly widthPx: number;
  readonly heightPx: number;
}

export type ImageFault = 'image_too_large' | 'image_format_unsupported' | 'image_undecodable';

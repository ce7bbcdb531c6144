import type { DisplaySize } from '../domain/display';

const MIB = 1024 * 1024;

/** What a decode may take, by the header. A progressive JPEG of a camera fits up to the limit of a registration (60 megapixels). */
export const DECODE_BYTES_MAX = 448 * MIB;

/** At this resident size the process that decodes kills itself: the decode, and beside it Node, the file in three copies and the results. */
export const MEMORY_BYTES_MAX = 640 * MIB;

/** The messages between the service and the process that decodes. */
export interface Job {
  readonly bytes: Uint8Array;
  /** EXIF orientation, as recorded with the asset. */
  readonly orientation: number;
}

export type Derivatives = Readonly<Record<DisplaySize, Uint8Array>>;

export type Outcome =
  | { readonly kind: 'made'; readonly derivatives: Derivatives }
  /** The header says that no attempt can succeed. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Perhaps not because of the image: memory may have been short. */
  | { readonly kind: 'failed'; readonly reason: string };

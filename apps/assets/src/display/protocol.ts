import type { DisplaySize } from '../domain/display';

/** At this resident size the process that decodes kills itself. The chart allows the service with it 1 GiB. */
export const MEMORY_BYTES_MAX = 384 * 1024 * 1024;

/** The messages between the service and the process that decodes. */
export interface Job {
  readonly bytes: Uint8Array;
  /** EXIF orientation, as recorded with the asset. */
  readonly orientation: number;
}

export type Derivatives = Readonly<Record<DisplaySize, Uint8Array>>;

export type Outcome = { readonly kind: 'made'; readonly derivatives: Derivatives } | { readonly kind: 'refused'; readonly reason: string };

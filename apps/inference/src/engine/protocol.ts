import type { RgbImage } from '../imaging/decode';
import type { Analysis } from '../models/outcome';
import type { Provider, ExecutionOptions } from '../models/providers';
import type { ModelFolder } from '../models/repository';

/** Messages between the main thread and a model's thread. */
export interface ThreadData {
  readonly model: ModelFolder;
  readonly execution: ExecutionOptions;
}

export interface Batch {
  readonly id: number;
  readonly images: readonly RgbImage[];
}

/** Ends the thread after the batches before it. */
export const STOP = 'stop';

export type ToThread = Batch | typeof STOP;

export type FromThread =
  | { readonly kind: 'loaded'; readonly providers: readonly Provider[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'done'; readonly id: number; readonly analyses: readonly Analysis[] }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string };

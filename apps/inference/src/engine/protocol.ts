import type { HandedImage } from '../imaging/handed-image';
import type { Analysis } from '../models/outcome';
import type { Provider, ExecutionOptions } from '../models/providers';
import type { ModelFolder } from '../models/repository';

/** Messages between the main process and a model's process. The first one loads the model. */
export interface ModelData {
  readonly model: ModelFolder;
  readonly execution: ExecutionOptions;
  readonly alone: boolean;
}

export interface Batch {
  readonly id: number;
  readonly images: readonly HandedImage[];
  /** The project of each image. */
  readonly projects: readonly string[];
}

export type ToModel = ModelData | Batch;

export type FromModel =
  | { readonly kind: 'loaded'; readonly providers: readonly Provider[] }
  | { readonly kind: 'refused'; readonly reason: string }
  /** The batch computes from now on, in place of the one before. */
  | { readonly kind: 'turn'; readonly id: number }
  | { readonly kind: 'done'; readonly id: number; readonly analyses: readonly Analysis[] }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string };

import type { Picture } from '../imaging/decode';
import type { Provider } from '../models/network';
import type { Analysis } from '../models/outcome';
import type { ModelFolder } from '../models/repository';

/** What the main thread and a model's thread say to each other. */
export interface ThreadData {
  readonly model: ModelFolder;
  readonly providers: readonly Provider[];
}

export interface Job {
  readonly id: number;
  readonly picture: Picture;
}

/** Ends the thread after what it was given before. */
export const STOP = 'stop';

export type ToThread = Job | typeof STOP;

export type FromThread =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'done'; readonly id: number; readonly analysis: Analysis }
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string };

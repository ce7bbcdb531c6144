import type { RenderData } from '@tire/contracts';
import type { Drawn } from './outlines';
import type { Source } from './source';

export interface Projection {
  readonly version: string;
  project(source: Source): Drawn<RenderData>;
}

import type { RenderData } from '@tire/contracts/api';
import type { Source } from '../source/source';

export interface Projection {
  readonly version: string;
  project(source: Source): RenderData;
}

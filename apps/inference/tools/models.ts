import type { z } from 'zod';
import { loadModel } from '../src/models/load-model';
import { ENGINES, manifestSchema, type Operation } from '../src/models/manifest';
import type { Model } from '../src/models/outcome';
import type { ExecutionOptions } from '../src/models/providers';
import { loadRepositoryOf, type ModelFolder } from '../src/models/repository';
import { FilterModel } from './baseline/filter-model';

/** The engines of production, and the classical baseline beside them. */
export const ToolManifest = manifestSchema({ ...ENGINES, 'tread-filters': 'tire.tread' });
export type ToolManifest = z.infer<typeof ToolManifest>;
export type ToolModel = ModelFolder<ToolManifest>;

export const ON_CPU = { requested: ['cpu'], fallback: false } as const;

export async function newestModel(repository: string, operation: Operation): Promise<ToolModel> {
  const [model] = await loadRepositoryOf(ToolManifest, repository, [operation]);
  return model!;
}

export function loadToolModel({ manifest, ...rest }: ToolModel, execution: ExecutionOptions = ON_CPU): Promise<Model> {
  const { engine } = manifest;
  if (engine === 'tread-filters') return FilterModel.load({ ...rest, manifest }, execution);
  return loadModel({ ...rest, manifest: { ...manifest, engine } }, execution);
}

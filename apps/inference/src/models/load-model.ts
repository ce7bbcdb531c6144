import { assertNever } from '@tire/kernel';
import type { Model } from './outcome';
import type { ExecutionOptions } from './providers';
import type { ModelFolder } from './repository';
import { SidewallModel } from './sidewall-model';
import { TreadModel } from './tread-model';

export function loadModel(model: ModelFolder, execution: ExecutionOptions): Promise<Model> {
  const { engine } = model.manifest;
  switch (engine) {
    case 'tread-network':
      return TreadModel.load(model, execution);
    case 'sidewall-ocr':
      return SidewallModel.load(model, execution);
    default:
      return assertNever(engine);
  }
}

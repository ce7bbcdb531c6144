import { assertNever } from '@tire/kernel';
import type { Model } from './outcome';
import type { ProviderWish } from './providers';
import type { ModelFolder } from './repository';
import { SidewallModel } from './sidewall-model';
import { TreadModel } from './tread-model';

export function loadModel(model: ModelFolder, wish: ProviderWish): Promise<Model> {
  const { engine } = model.manifest;
  switch (engine) {
    case 'tread-network':
      return TreadModel.load(model, wish);
    case 'sidewall-ocr':
      return SidewallModel.load(model, wish);
    default:
      return assertNever(engine);
  }
}

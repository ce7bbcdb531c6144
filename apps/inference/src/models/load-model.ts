import { assertNever } from '@tire/kernel';
import type { Provider } from './network';
import type { Model } from './outcome';
import type { ModelFolder } from './repository';
import { SidewallModel } from './sidewall-model';
import { TreadModel } from './tread-model';

export function loadModel(model: ModelFolder, providers: readonly Provider[]): Promise<Model> {
  const { operation } = model.manifest;
  switch (operation) {
    case 'tire.tread':
      return TreadModel.load(model, providers);
    case 'tire.sidewall':
      return SidewallModel.load(model, providers);
    default:
      return assertNever(operation);
  }
}

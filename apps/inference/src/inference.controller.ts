import { Controller } from '@nestjs/common';
import { inferenceApi } from '@tire/contracts';
import { DomainError, ENGINE_API, ENGINE_API_VERSION } from '@tire/kernel';
import { Engine } from './engine/engine';
import type { ModelFolder } from './models/repository';

/** Names and meaning as in the Open Inference Protocol. */
@Controller()
@inferenceApi.InferenceServiceControllerMethods()
export class InferenceController implements inferenceApi.InferenceServiceController {
  constructor(private readonly engine: Engine) {}

  serverLive(): inferenceApi.ServerLiveResponse {
    return { live: true };
  }

  serverMetadata(): inferenceApi.ServerMetadataResponse {
    return { name: ENGINE_API, version: ENGINE_API_VERSION, extensions: [] };
  }

  serverReady(): inferenceApi.ServerReadyResponse {
    return { ready: this.ready(() => this.engine.assertReady()) };
  }

  modelReady(request: inferenceApi.ModelReadyRequest): inferenceApi.ModelReadyResponse {
    const { operation } = this.find(request).manifest;
    return { ready: this.ready(() => this.engine.assertReady(operation)) };
  }

  modelMetadata(request: inferenceApi.ModelMetadataRequest): inferenceApi.ModelMetadataResponse {
    const { manifest } = this.find(request);
    const networks = Object.values(manifest.networks);
    return {
      name: manifest.name,
      versions: [manifest.version],
      platform: manifest.platform,
      inputs: networks.flatMap(({ inputs }) => inputs),
      outputs: networks.flatMap(({ outputs }) => outputs),
    };
  }

  private find({ name, version }: inferenceApi.ModelReadyRequest): ModelFolder {
    const model = this.engine.models.find(({ manifest }) => manifest.name === name && (version === '' || version === manifest.version));
    if (!model) throw new DomainError('not_found', { param: 'name' });
    return model;
  }

  private ready(check: () => void): boolean {
    try {
      check();
      return true;
    } catch {
      return false;
    }
  }
}

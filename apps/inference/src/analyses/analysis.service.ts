import { Injectable } from '@nestjs/common';
import { EVENTS, type AnalysisFinished, type AnalyzeImage } from '@tire/contracts/events';
import { type assetsApi } from '@tire/contracts/grpc';
import { Publisher } from '@tire/eventing';
import { assertNever, DomainError, timeOfId } from '@tire/kernel';
import { logger, type PromiseClient } from '@tire/platform';
import { download } from './download';
import { Engine } from '../engine/engine';
import { decodeLimits, type ModelWorker } from '../engine/model-worker';
import { UnusableImage } from '@tire/platform/images';
import { decodeImage } from '../imaging/decode';
import { Metrics } from './metrics';
import type { Operation } from '../models/manifest';
import type { Outcome } from '../models/outcome';

const DOWNLOAD_TIMEOUT_MS = 15_000;
/** The specification's limit for an image, and a margin for what storage may add. */
const MAX_BYTES = 21 * 1024 * 1024;

export abstract class Assets {
  abstract readonly client: PromiseClient<assetsApi.AssetServiceClient>;
}

@Injectable()
export class AnalysisService {
  private readonly log = logger('analyses');

  constructor(
    private readonly engine: Engine,
    private readonly assets: Assets,
    private readonly publisher: Publisher,
    private readonly metrics: Metrics,
  ) {}

  /** A fault of the image is a result. Any other fault throws, and the broker delivers the message again. */
  async measure(operation: Operation, work: AnalyzeImage, signal: AbortSignal): Promise<void> {
    const { outcome, model } = await this.engine.use(operation, signal, async (worker) => {
      this.metrics.queueAge(operation, Date.now() - timeOfId(work.analysisId).getTime());
      return { outcome: await this.outcomeOf(operation, work, worker, signal), model: worker.model.manifest };
    });
    await this.publish(operation, work, outcome, `${model.name}@${model.version}`);
  }

  private async outcomeOf(operation: Operation, work: AnalyzeImage, worker: ModelWorker, signal: AbortSignal): Promise<Outcome> {
    try {
      const bytes = await this.metrics.timed(operation, 'fetch', () => this.fetchBytes(work, signal));
      const image = await this.metrics.timed(operation, 'decode', () => decodeImage(bytes, decodeLimits(worker.model)));
      const { outcome, modelMs, postMs } = await worker.analyze(image);
      this.metrics.stage(operation, 'model', modelMs);
      this.metrics.stage(operation, 'post', postMs);
      return outcome;
    } catch (error) {
      if (!(error instanceof UnusableImage)) throw error;
      return { kind: 'error', errorCode: error.errorCode };
    }
  }

  async giveUp(operation: Operation, work: AnalyzeImage, cause: unknown): Promise<void> {
    this.log.error({ err: cause, analysisId: work.analysisId }, 'Analysis abandoned after the last attempt');
    await this.publish(operation, work, { kind: 'error', errorCode: 'analysis_failed' }, '');
  }

  private async publish(operation: Operation, work: AnalyzeImage, outcome: Outcome, model: string): Promise<void> {
    if (outcome.kind === 'error') this.metrics.failed(operation, outcome.errorCode);
    const { projectId, reportId, slotId, analysisId } = work;
    const finished: AnalysisFinished = {
      projectId,
      reportId,
      slotId,
      analysisId,
      completedAt: new Date().toISOString(),
      model,
      outcome: wireOf(outcome),
      retakeReasons: [...(outcome.reasons ?? [])],
    };
    await this.publisher.publish(EVENTS.analysisFinished, finished, { id: analysisId });
  }

  private async fetchBytes({ projectId, assetId }: AnalyzeImage, signal: AbortSignal): Promise<Buffer> {
    try {
      const { url } = await this.assets.client.signRead({ projectId, assetId });
      return await download(url, { timeoutMs: DOWNLOAD_TIMEOUT_MS, maxBytes: MAX_BYTES, signal });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') throw new UnusableImage('image_unreachable', error);
      throw error;
    }
  }
}

function wireOf(outcome: Outcome): AnalysisFinished['outcome'] {
  switch (outcome.kind) {
    case 'tread':
      return { $case: 'tread', value: outcome.measurement };
    case 'sidewall':
      return { $case: 'sidewall', value: outcome.measurement };
    case 'error':
      return { $case: 'errorCode', value: outcome.errorCode };
    default:
      return assertNever(outcome);
  }
}

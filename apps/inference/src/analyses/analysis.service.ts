import { Inject, Injectable } from '@nestjs/common';
import { EVENTS, type AnalysisFinished, type AnalyzeImage } from '@tire/contracts/events';
import type { assetsApi } from '@tire/contracts/grpc';
import { IMAGE_BYTES_MAX } from '@tire/contracts/limits';
import { Attempts, NotNow, Publisher, type AttemptEnd, type HandlingContext } from '@tire/eventing';
import { assertNever, DomainError } from '@tire/kernel';
import { ASSETS, logger, readObject, type PromiseClient } from '@tire/platform';
import { DecoderKilled, DecoderLost, UnusableImage } from '@tire/platform/images';
import { LRUCache } from 'lru-cache';
import { setTimeout as pause } from 'node:timers/promises';
import { Engine } from '../engine/engine';
import { JobRefused } from '../engine/job-queue';
import { JobBroke, JobKilled, ProcessLost } from '../engine/job-faults';
import { decodeLimits, type ModelWorker } from '../engine/model-worker';
import { decodeForModel, decoder } from '../imaging/decode';
import { forget } from '../imaging/handed-image';
import { BreakingProjects } from './breaking-projects';
import { HeavyPlace } from './heavy-place';
import { Metrics } from './metrics';
import type { Operation } from '../models/manifest';
import type { Outcome } from '../models/outcome';
import { ModelFault } from '../models/repository';

const DOWNLOAD_TIMEOUT_MS = 15_000;
/** With a margin for what storage may add. */
const MAX_BYTES = IMAGE_BYTES_MAX + 1024 * 1024;

/**
 * The first attempt runs beside others, unless images of the project broke a process lately. Further ones run alone. The image is refused
 * after two that broke, or four that others ended.
 */
const ATTEMPTS = 2;
/** When a place for an image of a kind with few places is free, approximately. */
const TRY_AGAIN_MS = 1_500;
/** How long an image holds its place while its model is refused. */
const REFUSED_HOLD_MS = 5_000;
const REMEMBERED_HEAVY = 10_000;
/** A project whose heavy image was refused tries again twice in this time. */
const HEAVY_FORGOTTEN_MS = 2.5 * TRY_AGAIN_MS;

/** What an analysis needs of its delivery. */
type Context = Pick<HandlingContext, 'isFirst' | 'signal' | 'leavePlace'>;

@Injectable()
export class AnalysisService {
  private readonly log = logger('analyses');
  /** Assets whose decode takes much memory. Without a place they are not even fetched. */
  private readonly heavy = new LRUCache<string, true>({ max: REMEMBERED_HEAVY });
  private readonly heavyPlace = new HeavyPlace(HEAVY_FORGOTTEN_MS);
  private readonly breaking = new BreakingProjects();

  constructor(
    private readonly engine: Engine,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
    private readonly publisher: Publisher,
    private readonly metrics: Metrics,
    private readonly attempts: Attempts,
  ) {}

  /** A fault of the image is a result. Any other fault throws, and the broker delivers the message again. */
  async measure(operation: Operation, work: AnalyzeImage, context: Context): Promise<void> {
    // A repetition would count the time of what failed before.
    if (context.isFirst && work.requestedAt !== undefined) this.metrics.queueAge(operation, Date.now() - Date.parse(work.requestedAt));
    await this.publish(operation, work, await this.outcomeOf(operation, work, context));
  }

  private async outcomeOf(operation: Operation, work: AnalyzeImage, context: Context): Promise<Measured> {
    const { signal } = context;
    if (this.heavy.has(work.assetId) && !this.heavyPlace.isFreeFor(work.projectId, Date.now())) {
      this.heavyPlace.keepTurnOf(work.projectId, Date.now());
      throw new NotNow(TRY_AGAIN_MS);
    }
    try {
      // Without a model nothing is fetched.
      await this.useShared(operation, work, signal, async () => undefined);
      const bytes = await this.metrics.timed(operation, 'fetch', () => this.fetchBytes(work, signal));
      return await this.inItsPlace(work, bytes, context, () => this.attempt(operation, work, bytes, context));
    } catch (error) {
      if (!(error instanceof UnusableImage)) throw error;
      return { outcome: { kind: 'error', errorCode: error.errorCode }, model: this.modelOf(operation, work) };
    }
  }

  /** Heavy images have one place beside those of the images of cameras: a decode of seconds must not take half of these. */
  private async inItsPlace<T>(
    { assetId, projectId }: AnalyzeImage,
    bytes: Uint8Array,
    { leavePlace }: Context,
    run: () => Promise<T>,
  ): Promise<T> {
    if (!decoder.isHeavy(bytes)) return run();
    this.heavy.set(assetId, true);
    if (!this.heavyPlace.take(projectId, Date.now())) throw new NotNow(TRY_AGAIN_MS);
    leavePlace();
    return run().finally(() => this.heavyPlace.leave());
  }

  /** The attempt is counted before it begins, so that the end of this process counts too. */
  private async attempt(operation: Operation, work: AnalyzeImage, bytes: Uint8Array, { signal, leavePlace }: Context): Promise<Measured> {
    const attempt = await this.attempts.begin(keyOf(operation, work));
    let end: AttemptEnd = 'unharmed';
    let isShared = false;
    try {
      if (attempt.number - 1 >= ATTEMPTS) {
        this.log.error(
          { analysis_id: work.analysisId, operation },
          'An image is refused, because every attempt to measure it broke a process',
        );
        return {
          outcome: { kind: 'error', errorCode: 'analysis_failed', reasons: ['unmeasurable'] },
          model: this.modelOf(operation, work),
        };
      }
      const run = (worker: ModelWorker) => this.run(worker, { operation, bytes, projectId: work.projectId, signal });
      isShared = attempt.number === 1 && !this.breaking.has(work.projectId);
      if (isShared) return await this.useShared(operation, work, signal, run);
      // One at once. Others are handed back, and hold their places until the end of their attempt is written: so few write at once.
      const measured = await this.engine.useAlone(operation, signal, run, leavePlace, work.projectId);
      if (measured === 'busy') throw new NotNow(TRY_AGAIN_MS);
      return measured;
    } catch (error) {
      if (!signal.aborted) end = endBy(error);
      if (isShared && end === 'broke') this.breaking.broke(work.projectId, work.analysisId);
      // This is not a fault of the image, so it uses up none of its deliveries.
      if (error instanceof ProcessLost || error instanceof JobRefused) throw new NotNow(TRY_AGAIN_MS);
      throw error;
    } finally {
      await attempt.end(end);
    }
  }

  /**
   * A model that is refused is no fault of the image, and uses up none of its deliveries. Its place is held for a while, because the ledger
   * hands out work to every place that requests some.
   */
  private useShared<T>(
    operation: Operation,
    { projectId }: AnalyzeImage,
    signal: AbortSignal,
    use: (worker: ModelWorker) => Promise<T>,
  ): Promise<T> {
    return this.engine.use(operation, signal, use, projectId).catch(async (error: unknown) => {
      if (!(error instanceof ModelFault)) throw error;
      this.log.warn({ err: error, operation }, 'An image waits, because its model is refused');
      await pause(REFUSED_HOLD_MS, undefined, { signal }).catch(() => undefined);
      throw new NotNow(0);
    });
  }

  private async run(worker: ModelWorker, { operation, bytes, projectId, signal }: Run): Promise<Measured> {
    const image = await this.metrics.timed(operation, 'decode', () => decodeForModel(bytes, decodeLimits(worker.model), signal));
    // Also where no request waits any more: its batch reads the pixels, and would fail for all of its images.
    const analysis = worker.analyze(image, projectId).finally(() => forget(image));
    const { outcome, imageHash, modelMs, postMs } = await unlessAborted(analysis, signal);
    this.metrics.stage(operation, 'model', modelMs);
    this.metrics.stage(operation, 'post', postMs);
    const { name, version } = worker.model.manifest;
    return { outcome, imageHash, model: `${name}@${version}` };
  }

  private modelOf(operation: Operation, { projectId }: AnalyzeImage): string {
    const model = this.engine.modelFor(operation, projectId);
    return model ? `${model.manifest.name}@${model.manifest.version}` : '';
  }

  async giveUp(operation: Operation, work: AnalyzeImage, cause: unknown): Promise<void> {
    this.log.error({ err: cause, analysis_id: work.analysisId }, 'An analysis is abandoned after its last attempt');
    await this.publish(operation, work, { outcome: { kind: 'error', errorCode: 'analysis_failed' }, model: '' });
  }

  private async publish(operation: Operation, work: AnalyzeImage, { outcome, imageHash, model }: Measured): Promise<void> {
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
      imageHash,
    };
    await this.publisher.publish(EVENTS.analysisFinished, finished, { id: analysisId });
  }

  private async fetchBytes({ projectId, assetId }: AnalyzeImage, signal: AbortSignal): Promise<Buffer> {
    try {
      const { url } = await this.assets.signRead({ projectId, assetId });
      return await readObject(url, { timeoutMs: DOWNLOAD_TIMEOUT_MS, maxBytes: MAX_BYTES, signal });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_found') throw new UnusableImage('image_unreachable', error);
      throw error;
    }
  }
}

interface Run {
  readonly operation: Operation;
  readonly bytes: Uint8Array;
  readonly projectId: string;
  readonly signal: AbortSignal;
}

interface Measured {
  readonly outcome: Outcome;
  /** Absent where no pixels were decoded. */
  readonly imageHash?: string;
  readonly model: string;
}

function endBy(error: unknown): AttemptEnd {
  if (error instanceof JobBroke || error instanceof DecoderLost) return 'broke';
  return error instanceof JobKilled || error instanceof DecoderKilled ? 'killed' : 'unharmed';
}

/** The ledger repeats a request with the same analysis id. */
const keyOf = (operation: Operation, { analysisId }: AnalyzeImage): string => `${operation}.${analysisId}`;

/** Rejects when the signal aborts, although the work goes on. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => undefined as void;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  });
  work.catch(() => undefined);
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
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

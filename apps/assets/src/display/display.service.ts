import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { assetsApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, FairTurns, faulty, isUuid, TooManyWaiting, type Clock } from '@tire/kernel';
import { Database, logger } from '@tire/platform';
import { DecoderKilled, DecoderLost, ImageDecoder, UnusableImage } from '@tire/platform/images';
import { LRUCache } from 'lru-cache';
import { setTimeout as pause } from 'node:timers/promises';
import { lockUnlessDiscarded, type Asset } from '../assets/asset.store';
import { DISPLAY, displayName, missingOf, type DisplaySet, type DisplaySize } from '../domain/display';
import { displayPrefixOf } from '../domain/object-key';
import { readWhole, type ObjectStore } from '../object-store/object-store';
import { DISPLAY_AHEAD, OBJECT_STORE } from '../tokens';
import {
  beginTry,
  endTries,
  findShowable,
  findShowables,
  forgiveTry,
  recordDisplay,
  type DrawableAsset,
  type ShowableAsset,
} from './display.store';
import { derivativesOf, type MadeDerivative } from './derivatives';

export const READ_LIFETIME_SECONDS = 600;
/** The images of one report. */
const AHEAD_OF_PROJECT = 8;
const PAGE_IMAGES_MAX = 16;
/** A page is shown without images that are not made by then, and with all others. A caller waits five seconds. */
const PAGE_WAIT_MS = 3_000;
/** One image is decoded at once. A page waits for eight images; a project may have some pages waiting. */
const TURNS = { capacity: 1, ofKey: 1, waitingOfKey: 64 };

/**
 * After so many decodes of one image whose process was killed from outside, perhaps because of that image, it has no derivative
 * for a while. That is no lasting refusal, since memory may have been short for another reason.
 */
const KILLS_BEFORE_REST = 2;
const REST_MS = 60_000;
const REMEMBERED_KILLS = 10_000;

/**
 * Serves derivatives of an image: they have no metadata, and the original bytes are never shown. Those of a page are made ahead of their
 * use, all others at it; if a process dies, the next use makes them. They are named by the key of their image and are removed with it.
 */
@Injectable()
export class DisplayService implements OnApplicationShutdown {
  private readonly log = logger('assets.display');
  private readonly turns = new FairTurns(TURNS);
  private isStopped = false;
  private readonly kills: LRUCache<string, number>;
  private readonly making = new Map<string, Promise<boolean>>();

  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly database: Database,
    private readonly decoder: ImageDecoder,
    @Inject(DISPLAY_AHEAD) private readonly isAhead: boolean,
  ) {
    const perf = { now: () => clock.now().getTime() };
    this.kills = new LRUCache({ max: REMEMBERED_KILLS, ttl: REST_MS, ttlResolution: 0, perf });
  }

  /** Requests have ended by now. Derivatives that are being made ahead of their use are abandoned, and the attempt is not counted. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.decoder.stop();
    await Promise.allSettled(this.making.values());
  }

  /**
   * Whether what a page shows of an image that is recorded now is made at once; not while many images wait. Then its record counts the first
   * attempt, and makeAhead() follows.
   */
  isMadeAhead(projectId: string): boolean {
    return this.isAhead && this.turns.waitingOf(projectId) < AHEAD_OF_PROJECT;
  }

  /** Makes what a page shows of an image that was recorded just now, so that no visitor waits for it. */
  makeAhead(asset: Asset): void {
    let isBegun = false;
    const attempt = () => {
      isBegun = true;
      return this.attempt(asset, 'page', null);
    };
    const giveUp = async (error: unknown) => {
      if (!isBegun) await this.forgive(asset);
      throw error;
    };
    this.made(asset, 'page', attempt)
      .catch(giveUp)
      .catch((error: unknown) => this.log.info({ err: error, asset_id: asset.assetId }, 'Derivatives are made at their first use'));
  }

  async sign({ projectId, assetId }: assetsApi.SignDisplayRequest): Promise<assetsApi.SignDisplayResponse> {
    const asset = isUuid(assetId) ? await this.having('all', await findShowable(this.database, projectId, assetId)) : undefined;
    if (!asset) throw new DomainError('not_found');
    const { orientation, widthPx, heightPx } = asset;
    const [url, smallUrl] = await Promise.all([this.addressOf(asset, 'large'), this.addressOf(asset, 'small')]);
    const expiresAt = new Date(this.clock.now().getTime() + READ_LIFETIME_SECONDS * 1000).toISOString();
    return { url, smallUrl, expiresAt, orientation, widthPx, heightPx };
  }

  /** An image without an address, or one that takes long to make, keeps none of the others back. Its making goes on. */
  async signForPage({ projectId, assetIds }: assetsApi.SignPageImagesRequest): Promise<assetsApi.SignPageImagesResponse> {
    if (assetIds.length > PAGE_IMAGES_MAX) throw faulty('asset_ids', `must be at most ${PAGE_IMAGES_MAX}`);
    const found = await findShowables(this.database, projectId, assetIds.filter(isUuid));
    const wait = new AbortController();
    const late = pause(PAGE_WAIT_MS, 'late' as const, { signal: wait.signal });
    late.catch(() => undefined);
    const answer = async (assetId: string): Promise<assetsApi.PageImageAnswer> => {
      try {
        const asset = await Promise.race([
          this.having(
            'page',
            found.find((one) => one.assetId === assetId.toLowerCase()),
          ),
          late,
        ]);
        if (asset === 'late') return { notFound: false };
        return asset ? { image: await this.pageImage(asset), notFound: false } : { notFound: true };
      } catch (error) {
        this.log.warn({ err: error, asset_id: assetId }, 'An image has no address now');
        return { notFound: false };
      }
    };
    return { answers: await Promise.all(assetIds.map(answer)).finally(() => wait.abort()) };
  }

  /** Undefined where a derivative of the set is missing and cannot be made. */
  private async having(set: DisplaySet, asset: ShowableAsset | undefined): Promise<ShowableAsset | undefined> {
    return asset && (isStored(set, asset) || (await this.isMadeNow(set, asset))) ? asset : undefined;
  }

  private async pageImage(asset: ShowableAsset): Promise<assetsApi.PageImage> {
    const { orientation, widthPx, heightPx } = asset;
    const [thumbnailUrl, smallUrl] = await Promise.all([this.addressOf(asset, 'thumbnail'), this.addressOf(asset, 'small')]);
    return { thumbnailUrl, smallUrl, orientation, widthPx, heightPx };
  }

  private addressOf(asset: DrawableAsset, size: DisplaySize): Promise<string> {
    return this.objects.signGet(keyOf(asset, size), READ_LIFETIME_SECONDS);
  }

  private async isMadeNow(set: DisplaySet, asset: ShowableAsset): Promise<boolean> {
    const { assetId, projectId } = asset;
    if (!asset.mayBeTried || (this.kills.get(assetId) ?? 0) >= KILLS_BEFORE_REST) return false;
    // The attempt is counted before it begins, so an image that stops the whole service is not retried without an end.
    return this.made(asset, set, async () => {
      const begun = await beginTry(this.database, asset, set);
      if (begun) return this.attempt(asset, set, begun.record);
      const found = await findShowable(this.database, projectId, assetId);
      return found !== undefined && isStored(set, found);
    });
  }

  /** All requests that wait for the set share one attempt. */
  private made({ assetId, projectId }: DrawableAsset, set: DisplaySet, attempt: () => Promise<boolean>): Promise<boolean> {
    const key = `${assetId} ${set}`;
    const making = this.making.get(key) ?? this.inTurn(projectId, attempt).finally(() => this.making.delete(key));
    this.making.set(key, making);
    return making;
  }

  /** At most one image is decoded for display at a time. The memory limit of the service depends on it. */
  async inTurn<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.turns.run(projectId, work);
    } catch (error) {
      throw error instanceof TooManyWaiting ? new DomainError('service_unavailable', { cause: error }) : error;
    }
  }

  /** An attempt that is counted already. */
  private async attempt(asset: DrawableAsset, set: DisplaySet, record: number | null): Promise<boolean> {
    const { assetId, projectId, reportId } = asset;
    try {
      return await this.store(asset, set, await this.derivativesOf(asset, missingOf(set, record)));
    } catch (error) {
      const fault = faultIn(error);
      if (error instanceof DecoderKilled) this.kills.set(assetId, (this.kills.get(assetId) ?? 0) + 1);
      if (fault === 'certain') await this.database.withProject(projectId, (tx) => endTries(tx, assetId));
      if (fault === 'none') await this.forgive(asset);
      this.log.warn({ err: error, report_id: reportId, asset_id: assetId }, 'An image has no derivative; people do not see it');
      if (fault !== 'none') return false;
      throw this.isStopped ? new DomainError('service_unavailable', { message: 'The service stops', cause: error }) : error;
    }
  }

  private forgive({ projectId, assetId }: DrawableAsset): Promise<void> {
    return this.database.withProject(projectId, (tx) => forgiveTry(tx, assetId));
  }

  private async derivativesOf({ objectKey, orientation }: DrawableAsset, sizes: readonly DisplaySize[]): Promise<MadeDerivative[]> {
    const object = await this.objects.open(objectKey);
    if (!object) throw new Error('The bytes of an asset are missing');
    return derivativesOf(this.decoder, await readWhole(object), orientation, sizes);
  }

  /**
   * In one transaction with the lock of the report and the row of the asset: neither a discard nor the cleaner comes between, so no
   * derivative stays without its image.
   */
  private store(asset: DrawableAsset, set: DisplaySet, derivatives: readonly MadeDerivative[]): Promise<boolean> {
    return this.database.withProject(asset.projectId, async (tx) => {
      if (!(await lockUnlessDiscarded(tx, asset.reportId)) || !(await recordDisplay(tx, asset.assetId, set))) return false;
      await Promise.all(derivatives.map(({ size, bytes }) => this.objects.put(keyOf(asset, size), Buffer.from(bytes), headersOf(size))));
      return true;
    });
  }
}

/** Whether the image is why its decode failed. A header is certain; a failed decode is not, since memory may have been short. */
function faultIn(error: unknown): 'certain' | 'possible' | 'none' {
  if (error instanceof UnusableImage) return error.errorCode === 'image_undecodable' ? 'possible' : 'certain';
  return error instanceof DecoderLost ? 'possible' : 'none';
}

const isStored = (set: DisplaySet, { record }: ShowableAsset): boolean => missingOf(set, record).length === 0;

const headersOf = (size: DisplaySize) => ({ contentType: `image/${DISPLAY[size].format}`, cacheControl: 'private, max-age=60' });

const keyOf = (asset: DrawableAsset, size: DisplaySize): string => `${displayPrefixOf(asset, asset.objectKey)}${displayName(size)}`;

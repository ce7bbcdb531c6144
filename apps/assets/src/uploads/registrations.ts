import { Inject, Injectable } from '@nestjs/common';
import { IMAGE_BYTES_MAX } from '@tire/contracts/limits';
import { CLOCK, DomainError, FairTurns, TooManyWaiting, WaitedTooLong, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { type Asset, claimAsset, findRegistrationState, type Insertion, insertAssets, lockUnlessDiscarded } from '../assets/asset.store';
import type { CleaningSettings } from '../config';
import { judgeCacheControl } from '../domain/cache-control';
import { mayStillBeRecorded } from '../domain/cleaning';
import { faultOfStart, START_BYTES } from '../domain/images/image-content';
import { uploadKey, type AssetIdentity, type ReportIdentity } from '../domain/object-key';
import { refusalText } from '../domain/registration';
import { ImageStorage } from '../images/image-storage';
import { readWhole, type ObjectFacts, type ObjectStore } from '../object-store/object-store';
import { CLEANING, OBJECT_STORE } from '../tokens';

const MIB = 1024 * 1024;
/** Limits for reads of metadata and first bytes. */
const PEEKS = { capacity: 64, ofKey: 16, waitingOfKey: 128 };
/** The bytes that all registrations may hold at once: one registration of eight images of 20 MB, and some of usual size. */
export const BYTES_OF_REGISTRATIONS = 192 * MIB;
const BYTES = { capacity: BYTES_OF_REGISTRATIONS, ofKey: 64 * MIB, waitingOfKey: 64 };
const OF_REPORT = { capacity: Infinity, ofKey: 1, waitingOfKey: 4 };
/** The deadline of the caller is 20 s: an image that is read later has no use. */
const WAIT_MS_MAX = 15_000;

interface Upload {
  readonly assetId: string;
  readonly slotId: string;
}

interface Registered {
  readonly assets: readonly Asset[];
  /** Those of them that this registration recorded. */
  readonly recordedNow: readonly Asset[];
}

interface Peeked {
  readonly identity: AssetIdentity;
  readonly sizeBytes: number;
}

/**
 * Registers uploads: refuses what metadata and first bytes refuse before it reads an object, reads each object once, and stores none
 * before all of them are verified. One registration of a report at a time, and projects take turns.
 */
@Injectable()
export class Registrations {
  private readonly ofReport = new FairTurns(OF_REPORT);
  private readonly peeks = new FairTurns(PEEKS);
  private readonly bytes = new FairTurns(BYTES);

  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly database: Database,
    private readonly images: ImageStorage,
    @Inject(CLEANING) private readonly cleaning: CleaningSettings,
  ) {}

  /** All or none: one refused upload refuses the registration, and no asset is recorded. */
  async register(report: ReportIdentity, uploads: readonly Upload[], insertion: Insertion): Promise<Registered> {
    // In the order of the ids, so that two registrations of the same assets do not deadlock.
    const inOrder = uploads.toSorted((a, b) => (a.assetId < b.assetId ? -1 : 1)).map((upload) => ({ ...report, ...upload }));
    try {
      const untilMs = performance.now() + WAIT_MS_MAX;
      return await this.ofReport.run(report.reportId, () => this.registerInTurn(report, inOrder, insertion, untilMs), { untilMs });
    } catch (error) {
      if (error instanceof UploadsRefused) throw error.inOrderOf(uploads);
      throw error instanceof TooManyWaiting || error instanceof WaitedTooLong
        ? new DomainError('service_unavailable', { cause: error })
        : error;
    }
  }

  private async registerInTurn(
    report: ReportIdentity,
    identities: readonly AssetIdentity[],
    insertion: Insertion,
    untilMs: number,
  ): Promise<Registered> {
    const { projectId } = report;
    const ids = identities.map(({ assetId }) => assetId);
    const state = await findRegistrationState(this.database, report, ids);
    if (state.isDiscarded) throw new DomainError('report_discarded');
    const peeking = () => whenAllEnded(identities.map((each) => this.peek(each, state.recorded)));
    const found = await this.peeks.run(projectId, peeking, { weight: identities.length, untilMs });
    const recorded = found.filter((each): each is Asset => 'objectKey' in each);
    const peeked = found.filter((each): each is Peeked => !('objectKey' in each));
    const totalBytes = peeked.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const verifying = () => this.verifyAll(peeked);
    const stored = peeked.length === 0 ? [] : await this.bytes.run(projectId, verifying, { weight: totalBytes, untilMs });
    const recordedNow = await this.record(report, recorded, stored, insertion);
    return { assets: [...recorded, ...stored], recordedNow };
  }

  /** The asset that is recorded already, or the facts from metadata and first bytes of an upload that they do not refuse. */
  private async peek(identity: AssetIdentity, assets: readonly Asset[]): Promise<Asset | Peeked> {
    const recorded = assets.find(({ assetId, slotId }) => assetId === identity.assetId.toLowerCase() && slotId === identity.slotId);
    if (recorded?.origin === 'upload') return recorded;
    if (recorded) throw refuse(identity, 'fetched');
    if (!mayStillBeRecorded(identity.assetId, this.clock.now(), this.cleaning.graceMs)) throw refuse(identity, 'expired');
    const peeked = await this.objects.peek(uploadKey(identity), START_BYTES);
    if (!peeked) throw refuse(identity, 'missing');
    checkFacts(identity, peeked);
    const fault = faultOfStart(peeked.start);
    if (fault) throw refuse(identity, fault);
    return { identity, sizeBytes: peeked.sizeBytes };
  }

  private async verifyAll(peeked: readonly Peeked[]): Promise<Asset[]> {
    const verified = await whenAllEnded(peeked.map((each) => this.verify(each)));
    await whenAllEnded(verified.map(({ asset, bytes }) => this.images.store(asset, bytes)));
    return verified.map(({ asset }) => asset);
  }

  private async verify({ identity, sizeBytes }: Peeked): Promise<{ asset: Asset; bytes: Buffer }> {
    const uploaded = await this.objects.open(uploadKey(identity));
    if (!uploaded) throw refuse(identity, 'missing');
    try {
      // The holder of the address can upload again at any time.
      checkFacts(identity, uploaded);
      if (uploaded.sizeBytes > sizeBytes) throw new DomainError('service_unavailable');
      const bytes = await readWhole(uploaded);
      const asset = this.images.inspect(identity, 'upload', bytes);
      if (typeof asset === 'string') throw refuse(identity, asset);
      return { asset, bytes };
    } finally {
      uploaded.body.destroy();
    }
  }

  /** Returns those that were not recorded before. */
  private async record(
    { projectId, reportId }: ReportIdentity,
    recorded: readonly Asset[],
    stored: readonly Asset[],
    insertion: Insertion,
  ): Promise<readonly Asset[]> {
    const recordedNow = await this.database.withProject(projectId, async (tx) => {
      if (!(await lockUnlessDiscarded(tx, reportId))) return undefined;
      for (const asset of recorded) if (!(await claimAsset(tx, asset.assetId))) throw refuse(asset, 'missing');
      const outcomes = await insertAssets(tx, { projectId, reportId }, stored, insertion);
      const foreign = stored.find((_, index) => outcomes[index] === 'foreign');
      if (foreign) throw refuse(foreign, 'missing');
      return stored.filter((_, index) => outcomes[index] === 'now');
    });
    if (recordedNow) return recordedNow;
    await Promise.all(stored.map((asset) => this.images.remove(asset)));
    throw new DomainError('report_discarded');
  }
}

/**
 * All results, or an error: that of the service if there is one, else one for all uploads that are refused. Not before all have ended: what
 * still runs keeps its memory, and so its turn.
 */
async function whenAllEnded<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(work);
  const errors = ended.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : []));
  const refused = errors.filter((error) => error instanceof UploadsRefused);
  if (refused.length < errors.length) throw errors.find((error) => !(error instanceof UploadsRefused));
  if (refused.length > 0) throw new UploadsRefused(refused.flatMap(({ refusals }) => refusals));
  return Promise.all(work);
}

function checkFacts(identity: AssetIdentity, { cacheControl, sizeBytes }: ObjectFacts): void {
  if (!judgeCacheControl(cacheControl).accepted) throw refuse(identity, 'cache_control');
  if (sizeBytes > IMAGE_BYTES_MAX) throw refuse(identity, 'image_too_large');
}

interface UploadRefusal {
  readonly upload: Upload;
  readonly message: string;
}

class UploadsRefused extends Error {
  constructor(readonly refusals: readonly UploadRefusal[]) {
    super('Uploads are refused');
  }

  /** The places are those in the request, whatever the order in which the uploads were read. One asset id may stand in two slots. */
  inOrderOf(uploads: readonly Upload[]): DomainError {
    const faults = uploads.flatMap(({ assetId, slotId }, index) =>
      this.refusals
        .filter(({ upload }) => upload.assetId === assetId && upload.slotId === slotId)
        .map(({ message }) => ({ param: `uploads[${index}].asset_id`, message })),
    );
    return new DomainError('validation_error', { param: 'asset_id', message: faults[0]!.message, faults });
  }
}

const refuse = (upload: Upload, reason: Parameters<typeof refusalText>[0]): UploadsRefused =>
  new UploadsRefused([{ upload, message: refusalText(reason) }]);

import { Inject, Injectable } from '@nestjs/common';
import type { assetsApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, isUuid, newId, type Clock } from '@tire/kernel';
import { Database } from '@tire/platform';
import { findReadable } from '../assets/asset.store';
import { DisplayService } from '../display/display.service';
import { CONTENT_TYPES } from '../domain/images/image-content';
import { uploadKey } from '../domain/object-key';
import { UPLOAD_LIFETIME_SECONDS } from '../domain/upload-lifetime';
import type { ObjectStore } from '../object-store/object-store';
import { OBJECT_STORE } from '../tokens';
import { Registrations } from './registrations';

const READ_LIFETIME_SECONDS = 600;
const REQUIRED_HEADERS = { 'Cache-Control': 'max-age=60' };

@Injectable()
export class UploadsService {
  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly database: Database,
    private readonly registrations: Registrations,
    private readonly display: DisplayService,
  ) {}

  /**
   * A target is a signature over the key of one object; nothing is written before the upload. The ledger requests targets for open
   * reports only. If the report is discarded meanwhile, registration refuses the upload and the sweeper removes it.
   */
  async issueTargets({ projectId, reportId, slotIds }: assetsApi.IssueTargetsRequest): Promise<assetsApi.IssueTargetsResponse> {
    const expiresAt = new Date(this.clock.now().getTime() + UPLOAD_LIFETIME_SECONDS * 1000).toISOString();
    const issue = async (slotId: string): Promise<assetsApi.UploadTarget> => {
      const assetId = newId();
      const uploadUrl = await this.objects.signPut(uploadKey({ projectId, reportId, slotId, assetId }), UPLOAD_LIFETIME_SECONDS);
      return { assetId, slotId, uploadUrl, requiredHeaders: REQUIRED_HEADERS, expiresAt };
    };
    return { targets: await Promise.all(slotIds.map(issue)) };
  }

  async register({ projectId, reportId, uploads }: assetsApi.RegisterUploadsRequest): Promise<assetsApi.RegisterUploadsResponse> {
    const isAhead = this.display.isMadeAhead(projectId);
    const { assets, recordedNow } = await this.registrations.register({ projectId, reportId }, uploads, { displayTries: isAhead ? 1 : 0 });
    if (isAhead) for (const asset of recordedNow) this.display.makeAhead(asset);
    return { uploads: assets.map(({ assetId, sha256 }) => ({ assetId, sha256: sha256.toString('hex') })) };
  }

  async signRead({ projectId, assetId }: assetsApi.SignReadRequest): Promise<assetsApi.SignReadResponse> {
    const asset = isUuid(assetId) ? await findReadable(this.database, projectId, assetId) : undefined;
    if (!asset) throw new DomainError('not_found');
    const { objectKey, format, orientation, widthPx, heightPx } = asset;
    const url = await this.objects.signGet(objectKey, READ_LIFETIME_SECONDS);
    const expiresAt = new Date(this.clock.now().getTime() + READ_LIFETIME_SECONDS * 1000).toISOString();
    return { url, expiresAt, contentType: CONTENT_TYPES[format], orientation, widthPx, heightPx };
  }
}

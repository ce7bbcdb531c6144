import { GRPC_SERVICES, assetsApi, type contentApi, type shareApi } from '@tire/contracts/grpc';
import { DomainError, newId } from '@tire/kernel';
import { startService } from '@tire/platform';
import { freePort } from '@tire/test-harness';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { createHash } from 'node:crypto';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const IMAGE = { contentType: 'image/jpeg', orientation: 6, widthPx: 640, heightPx: 480 };

/** A gRPC server for assets, share and content, so that calls of the ledger cross a real wire. */
// oxlint-disable-next-line max-lines-per-function -- one method for each rpc
export async function startAssetsPeer() {
  const refused = new Set<string>();
  const registered: string[] = [];
  const failing = new Set<string>();
  const removed: string[] = [];
  /** The publications in the share service, by report id. */
  const publications = new Map<string, shareApi.GetPublicationResponse>();
  const askedForPublication: string[] = [];
  /** The etags of the documents in the content service, by content revision. */
  const documents = new Map<string, string>();
  const revoked: string[] = [];
  const reissued: string[] = [];
  /** Assets without an entry have bytes of their own. */
  const sha256Of = new Map<string, string>();

  const remove = (holder: string, reportId: string) => {
    if (failing.has(holder)) throw new DomainError('service_unavailable');
    removed.push(`${holder} ${reportId}`);
    return {};
  };

  @Controller()
  @assetsApi.AssetServiceControllerMethods()
  class Assets implements assetsApi.AssetServiceController {
    issueTargets({ reportId, slotIds }: assetsApi.IssueTargetsRequest): assetsApi.IssueTargetsResponse {
      const targets = slotIds.map((slotId) => {
        const assetId = newId();
        return {
          assetId,
          slotId,
          uploadUrl: `https://store.example/${reportId}/${slotId}/${assetId}`,
          requiredHeaders: { 'Cache-Control': 'max-age=60' },
          expiresAt: '2026-11-01T11:00:00.000Z',
        };
      });
      return { targets };
    }

    registerUploads({ uploads }: assetsApi.RegisterUploadsRequest): assetsApi.RegisterUploadsResponse {
      const faults = uploads.flatMap(({ assetId }, index) =>
        refused.has(assetId) ? [{ param: `uploads[${index}].asset_id`, message: `Cache-Control of ${assetId}` }] : [],
      );
      if (faults[0]) throw new DomainError('validation_error', { param: 'asset_id', message: faults[0].message, faults });
      registered.push(...uploads.map(({ assetId }) => assetId));
      return { uploads: uploads.map(({ assetId }) => ({ assetId, sha256: sha256Of.get(assetId) ?? sha256(assetId) })) };
    }

    storeLogo(): never {
      throw new DomainError('not_found');
    }

    signLogo(): never {
      throw new DomainError('not_found');
    }

    removeLogo(): never {
      throw new DomainError('not_found');
    }

    signExportUpload(): never {
      throw new DomainError('not_found');
    }

    signExportRead(): never {
      throw new DomainError('not_found');
    }

    deliverExport(): never {
      throw new DomainError('not_found');
    }

    removeExport(): never {
      throw new DomainError('not_found');
    }

    signRead(): never {
      throw new DomainError('not_found');
    }

    signDisplay({ assetId }: assetsApi.SignDisplayRequest): assetsApi.SignDisplayResponse {
      if (!registered.includes(assetId)) throw new DomainError('not_found');
      const url = `https://store.example/${assetId}`;
      return { url, smallUrl: `${url}/small`, expiresAt: '2026-11-01T11:00:00.000Z', ...IMAGE };
    }

    signPageImages(): never {
      throw new DomainError('not_found');
    }

    discardReport({ reportId }: assetsApi.DiscardReportRequest): assetsApi.DiscardReportResponse {
      return remove('assets', reportId);
    }

    countReportData(): assetsApi.CountReportDataResponse {
      return { counts: [{ what: 'photographs', count: 4 }] };
    }
  }

  @Controller()
  class Holders {
    @GrpcMethod('ShareService', 'DiscardReport')
    share({ reportId }: { reportId: string }) {
      return remove('share', reportId);
    }

    @GrpcMethod('ShareService', 'GetPublication')
    publication({ reportId }: shareApi.GetPublicationRequest): shareApi.GetPublicationResponse {
      askedForPublication.push(reportId);
      const known = publications.get(reportId);
      if (!known) throw new DomainError('not_found');
      return known;
    }

    @GrpcMethod('ShareService', 'CountReportData')
    shared() {
      return { counts: [{ what: 'links', count: 1 }] };
    }

    @GrpcMethod('ContentService', 'CountReportData')
    documents() {
      return { counts: [{ what: 'documents', count: 2 }] };
    }

    @GrpcMethod('ShareService', 'RevokeShare')
    revoke({ reportId }: shareApi.RevokeShareRequest) {
      revoked.push(reportId);
      const { version = 0, ...known } = publications.get(reportId) ?? { publicationStatus: 'unpublished' };
      publications.set(reportId, { ...known, version: Number(version) + 1, shareToken: undefined });
      return {};
    }

    @GrpcMethod('ShareService', 'ReissueShare')
    reissue({ reportId, shareToken }: shareApi.ReissueShareRequest) {
      reissued.push(`${reportId} ${shareToken}`);
      const known = publications.get(reportId)!;
      publications.set(reportId, { ...known, version: known.version + 1, shareToken });
      return {};
    }

    @GrpcMethod('ContentService', 'GetContentRevision')
    document({ contentRevision }: contentApi.GetContentRevisionRequest): contentApi.GetContentRevisionResponse {
      const etag = documents.get(contentRevision);
      if (!etag) throw new DomainError('not_found');
      return { contentJson: Buffer.from('{}'), etag, locales: [] };
    }

    @GrpcMethod('ContentService', 'DiscardReport')
    content({ reportId }: { reportId: string }) {
      return remove('content', reportId);
    }
  }

  @Module({ controllers: [Assets, Holders] })
  class AssetsPeer {}

  const [httpPort, grpcPort] = [await freePort(), await freePort()];
  const config = { HTTP_HOST: '127.0.0.1', HTTP_PORT: httpPort, GRPC_HOST: '127.0.0.1', GRPC_PORT: grpcPort };
  const grpc = [GRPC_SERVICES.assets, GRPC_SERVICES.share, GRPC_SERVICES.content];
  const app = await startService({ name: 'assets-peer', module: () => AssetsPeer, grpc }, config);
  return {
    address: `127.0.0.1:${grpcPort}`,
    refused,
    registered,
    sha256Of,
    failing,
    removed,
    publications,
    askedForPublication,
    documents,
    revoked,
    reissued,
    close: () => app.close(),
  };
}

export type AssetsPeer = Awaited<ReturnType<typeof startAssetsPeer>>;

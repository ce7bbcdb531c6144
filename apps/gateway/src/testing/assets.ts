import { GRPC_SERVICES, type assetsApi } from '@tire/contracts/grpc';
import { newId } from '@tire/kernel';
import { startService } from '@tire/platform';
import { freePort } from '@tire/test-harness';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { createHash } from 'node:crypto';

/** Stands in for assets where no bytes matter: every upload has arrived. */
export async function startAssets(address: { readonly port: number }) {
  const removed = new Set<string>();

  @Controller()
  class Assets {
    @GrpcMethod('AssetService', 'IssueTargets')
    issueTargets({ slotIds }: assetsApi.IssueTargetsRequest): assetsApi.IssueTargetsResponse {
      const expiresAt = new Date(Date.now() + 7_200_000).toISOString();
      const target = (slotId: string) => ({
        assetId: newId(),
        slotId,
        uploadUrl: 'https://objects.example/u',
        requiredHeaders: {},
        expiresAt,
      });
      return { targets: slotIds.map(target) };
    }

    @GrpcMethod('AssetService', 'RegisterUploads')
    registerUploads({ uploads }: assetsApi.RegisterUploadsRequest): assetsApi.RegisterUploadsResponse {
      return { uploads: uploads.map(({ assetId }) => ({ assetId, sha256: createHash('sha256').update(assetId).digest('hex') })) };
    }

    @GrpcMethod('AssetService', 'DiscardReport')
    discardReport({ reportId }: assetsApi.DiscardReportRequest): assetsApi.DiscardReportResponse {
      removed.add(reportId);
      return {};
    }

    @GrpcMethod('AssetService', 'CountReportData')
    countReportData({ reportIds }: assetsApi.CountReportDataRequest): assetsApi.CountReportDataResponse {
      return { counts: [{ what: 'photographs', count: reportIds.filter((reportId) => !removed.has(reportId)).length }] };
    }
  }

  @Module({ controllers: [Assets] })
  class AssetsModule {}

  const config = { HTTP_HOST: '127.0.0.1', HTTP_PORT: await freePort(), GRPC_HOST: '127.0.0.1', GRPC_PORT: address.port };
  return startService({ name: 'assets', module: () => AssetsModule, grpc: [GRPC_SERVICES.assets] }, config);
}
